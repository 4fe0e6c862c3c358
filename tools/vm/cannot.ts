/** Something that the suite needs is not there; the message is for a person. */
export class Cannot extends Error {}
