// Starts browsers for tests. Every page collects what the console reports.

import puppeteer from 'puppeteer-core';

const protocolTimeout = 240000;
const common = ['--no-sandbox', '--disable-dev-shm-usage', '--ignore-gpu-blocklist', '--hide-scrollbars'];
const drivers = {
    llvmpipe: ['--use-gl=angle', '--use-angle=gl-egl'],
    swiftshader: ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
};

/** `driver`: llvmpipe or swiftshader, of Chromium, or firefox. */
export async function launch(driver) {
    if (driver === 'firefox')
        return puppeteer.launch({
            browser: 'firefox',
            executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
            headless: false,
            protocolTimeout,
            env: {...process.env, LIBGL_ALWAYS_SOFTWARE: '1', MOZ_WEBRENDER: '0'},
            extraPrefsFirefox: {'webgl.force-enabled': true, 'webgl.disabled': false},
        });
    return puppeteer.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        headless: true,
        protocolTimeout,
        args: [...common, ...drivers[driver]],
    });
}

/**
 * A page with its complaints: errors and warnings of the console, exceptions, files that are missing. `before`: a
 * script that runs before those of the page.
 */
export async function openPage(browser, url, options = {}) {
    const page = await browser.newPage();
    const complaints = [];
    if (options.viewport) await page.setViewport(options.viewport);
    if (options.before) await page.evaluateOnNewDocument(options.before);
    if (options.mediaFeatures) await page.emulateMediaFeatures(options.mediaFeatures);
    page.on('console', (message) => {
        const text = message.text();
        // A test reads back what it verifies, which Chromium reports as slow.
        if (/GPU stall due to ReadPixels/.test(text)) return;
        if (['error', 'warn', 'warning'].includes(message.type())) complaints.push(text);
        else if (process.env.VERBOSE) console.log(`    ${text}`);
    });
    page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
    // Pages work offline.
    const {origin} = new URL(url);
    page.on('request', (request) => {
        if (!['data:', 'blob:'].includes(new URL(request.url()).protocol) && new URL(request.url()).origin !== origin)
            complaints.push(`from elsewhere: ${request.url()}`);
    });
    page.on('requestfailed', (request) => complaints.push(`not loaded: ${request.url()}`));
    page.on('response', (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
    });
    await page.goto(url, {waitUntil: 'load', timeout: 60000});
    return {page, complaints};
}
