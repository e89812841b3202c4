// The page: its controls, the scene, the program and the bench.

import {loadGlsort} from 'glsort';
import {makeContext, ms, number, runBench, sorts, verdict} from './bench.js';
import {SceneView} from './view.js';

// The page in one file brings the module along (single-file.mjs).
const module = globalThis.glsortModule ?? new URL('./lib/tools.wasm', import.meta.url);
const $ = (id) => document.getElementById(id);
const isSoftware = (renderer) => /llvmpipe|softpipe|swiftshader|software|basic render/i.test(renderer);

function tell(error) {
    $('problem').hidden = !error;
    $('problem').textContent = error ? error.message : '';
}

/** Runs `work`, and shows what goes wrong. `line`: the id of a line that says `text` until then. */
async function attempt(work, line = null, text = '') {
    tell(null);
    if (line) $(line).textContent = text;
    try {
        await work();
    } catch (error) {
        if (line) $(line).textContent = '';
        tell(error);
    }
}

// --- The scene ---

let view = null;

function startView() {
    view = new SceneView($('view'), module, ({count, perSecond, call, sorting}) => {
        const pictures = perSecond.toFixed(perSecond < 10 ? 1 : 0);
        $('view-status').textContent = sorting
            ? `${number(count)} elements, sorted for each picture: ${pictures} pictures a second. ` +
              `Each sort takes the page ${call.toFixed(2)} ms; the GPU does the rest.`
            : `${number(count)} elements, not sorted: ${pictures} pictures a second.`;
    });
    const show = () =>
        attempt(
            () => view.show(document.querySelector('input[name=scene]:checked').value, Number($('count').value)),
            'view-status',
            'Loading …',
        );
    const showFile = (file) =>
        attempt(async () => view.showPly(await file.arrayBuffer()), 'view-status', `Reading ${file.name} …`);
    for (const input of document.querySelectorAll('input[name=scene]')) input.addEventListener('change', show);
    $('count').addEventListener('change', show);
    $('sorting').addEventListener('change', () => {
        view.sorting = $('sorting').checked;
    });
    $('turning').addEventListener('change', () => {
        view.turning = $('turning').checked;
    });
    $('file').addEventListener('change', () => {
        if ($('file').files[0]) showFile($('file').files[0]);
    });
    const area = $('view').parentElement;
    area.addEventListener('dragover', (event) => {
        event.preventDefault();
        $('drop-hint').hidden = false;
    });
    area.addEventListener('dragleave', () => {
        $('drop-hint').hidden = true;
    });
    area.addEventListener('drop', (event) => {
        event.preventDefault();
        $('drop-hint').hidden = true;
        if (event.dataTransfer.files[0]) showFile(event.dataTransfer.files[0]);
    });
    // Who asks for less motion turns the scene by hand.
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) view.turning = $('turning').checked = false;
    view.start();
    const gl = view.renderer.getContext();
    const renderer = gl.getExtension('WEBGL_debug_renderer_info')
        ? gl.getParameter(0x9246)
        : gl.getParameter(gl.RENDERER);
    $('device').textContent = `Your browser draws with: ${renderer}`;
    $('software').hidden = !isSoftware(renderer);
    if (isSoftware(renderer)) $('count').value = '10000';
    return show();
}

// --- The program ---

let printing = null;

async function printProgram() {
    const count = Number($('program-count').value);
    if (!Number.isInteger(count) || count < 1 || count > 2 ** 20)
        throw new Error('The number of elements must be a whole number from 1 to 1 048 576');
    printing ??= loadGlsort(makeContext(), {module}).catch((error) => {
        printing = null; // The next press loads again.
        throw error;
    });
    const sorter = await (await printing).createSorter({capacity: count, key: $('program-key').value});
    $('program').textContent = sorter.program(count);
    sorter.dispose();
}

/** A button that works until it is done. `line` and `text`: as for `attempt`. */
function onPress(button, work, line, text) {
    const press = async () => {
        button.disabled = true;
        try {
            await work();
        } finally {
            button.disabled = false;
        }
    };
    button.addEventListener('click', () => attempt(press, line, text));
}

// --- The bench ---

async function measure() {
    const rows = [];
    showTimes(rows);
    if (view) view.paused = true;
    try {
        await runBench(Number($('bench-largest').value), module, (row) => {
            rows.push(row);
            showTimes(rows);
        });
    } finally {
        if (view) view.paused = false;
    }
    $('bench-verdict').textContent = verdict(rows);
}

/** A line for each sort, a column for each number of keys. */
function showTimes(rows) {
    const head = $('bench-head');
    const body = $('bench');
    head.replaceChildren();
    body.replaceChildren();
    const add = (line, kind, text) => {
        const cell = document.createElement(kind);
        cell.textContent = text;
        line.append(cell);
        return cell;
    };
    const first = head.insertRow();
    add(first, 'th', 'Keys');
    for (const {count} of rows) add(first, 'th', number(count));
    for (const [name, text] of Object.entries({...sorts, readBack: 'read-back of the keys'})) {
        const line = body.insertRow();
        add(line, 'th', text);
        for (const row of rows) {
            const isBest = Object.keys(sorts).every((other) => row[name] <= row[other]);
            add(line, 'td', ms(row[name])).className = name in sorts && isBest ? 'best' : '';
        }
    }
}

onPress($('program-print'), printProgram);
onPress($('bench-run'), measure, 'bench-verdict', 'Measuring …');
attempt(
    async () => {
        makeContext(); // three.js says less when there is none.
        await startView();
    },
    'view-status',
    'Loading …',
);
