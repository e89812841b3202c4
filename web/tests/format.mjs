// Checks how the sources are written: by Prettier. `scripts/check format` counts their columns.

import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

const web = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

async function checkPrettier() {
    await run('npx', ['--no-install', 'prettier', '--check', '.'], {cwd: web}).catch((error) => {
        throw new Error(`${error.stderr}\nnpx prettier --write . in web/ mends this`);
    });
}

export async function testFormat({report}) {
    const start = performance.now();
    const failure = await checkPrettier().then(
        () => null,
        (error) => error.message,
    );
    report('format: Prettier', failure, '', start);
}
