// Checks the types of the package, and every call that the documents name, by the compiler of TypeScript.

import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

const web = fileURLToPath(new URL('..', import.meta.url));

export async function testTypes({report}) {
    const start = performance.now();
    try {
        await promisify(execFile)('npx', ['--no-install', 'tsc', '--project', 'tests/types'], {cwd: web});
        report('types: every call, right and wrong ones', null, '', start);
    } catch (error) {
        report('types: every call, right and wrong ones', error.stdout || error.message, '', start);
    }
}
