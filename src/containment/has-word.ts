/** Whether `cgroup.controllers` or `cgroup.subtree_control` names a controller (seed 000: has_word). */
export const hasWord = (text: string, word: string): boolean => text.split(/\s+/).includes(word);
