import { writeSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { aboutBuild } from './about-build.ts';

// Before anything else is loaded, so that it covers the rest. Beside the program: what is cached there is as trustworthy as the program
// itself, which a folder in /tmp is not. Where that cannot be written, there is none; nor for sources that run as they are.
if (import.meta.filename.endsWith('.js')) enableCompileCache(join(import.meta.dirname, 'cache'));

const [first, second] = process.argv.slice(2);
if (second === undefined && (first === '--version' || first === '-V') && printed()) {
  process.exitCode = 0;
} else if (first === 'daemon') {
  const { daemon } = await import('./daemon.ts');
  await daemon(import.meta.filename, process.argv.slice(3));
} else {
  const { runProgram } = await import('./run-program.ts');
  // What is still open (a paused standard input) must not keep the command.
  process.exit(await runProgram(process.argv.slice(2), import.meta.filename));
}

/** False when standard output cannot be written just so: then the whole program tells why. */
function printed(): boolean {
  try {
    writeSync(1, `${aboutBuild(import.meta.filename).version}\n`);
    return true;
  } catch {
    return false;
  }
}
