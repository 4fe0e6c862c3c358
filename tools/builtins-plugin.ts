import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * Takes Node's own modules by `process.getBuiltinModule` instead of `import`: an `import` of one makes Node build an ES module of all its
 * exports first, which costs the command line several ms of CPU (`node:process` alone 6, 2026-11-30). What is not used is left out.
 */
export const builtinsPlugin: Plugin = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, kind }) =>
      isBuiltin(path) && kind !== 'require-call'
        ? { path: path.replace(/^node:/, ''), namespace: 'builtin' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
      const module = (await import(`node:${path}`)) as object;
      const names = Object.keys(module).filter((name) => name !== 'default' && /^[a-zA-Z_$][\w$]*$/.test(name));
      const lines = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`);
      const contents = [
        `const builtin = /* @__PURE__ */ process.getBuiltinModule('node:${path}');`,
        'export default builtin;',
        ...lines,
      ].join('\n');
      return { contents, loader: 'js' };
    });
  },
};
