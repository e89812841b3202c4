// Checks how the sources are written: by Prettier, and at most 120 columns wide.

import {execFile} from 'node:child_process';
import {readFile, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

const web = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const columns = 120;

async function checkPrettier() {
    await run('npx', ['--no-install', 'prettier', '--check', '.'], {cwd: web}).catch((error) => {
        throw new Error(`${error.stderr}\nnpx prettier --write . in web/ mends this`);
    });
}

/** Prettier leaves long texts and comments as they are. */
async function checkColumns() {
    const lists = ['src', 'three', 'site', 'tests', 'examples'].map(async (folder) =>
        (await readdir(join(web, folder), {recursive: true})).map((name) => join(folder, name)),
    );
    const isSource = (name) => /\.(html|js|mjs|ts|css)$/.test(name) && !name.startsWith(join('site', 'lib'));
    for (const file of (await Promise.all(lists)).flat().filter(isSource))
        (await readFile(join(web, file), 'utf8')).split('\n').forEach((line, i) => {
            if (line.length > columns) throw new Error(`${file}:${i + 1} has ${line.length} columns`);
        });
}

export async function testFormat({report}) {
    for (const [name, check] of Object.entries({'Prettier': checkPrettier, '120 columns': checkColumns})) {
        const start = performance.now();
        report(
            `format: ${name}`,
            await check().then(
                () => null,
                (error) => error.message,
            ),
            '',
            start,
        );
    }
}
