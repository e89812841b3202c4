// Errors that name the argument, its value and what it may be.

const shown = (value) => (typeof value === 'string' ? `'${value}'` : String(value));

export function oneOf(call, name, value, allowed) {
    if (!allowed.includes(value))
        throw new Error(`${call}: ${name} is ${shown(value)}; it must be ${allowed.map(shown).join(', ')}`);
    return value;
}
export function whole(call, name, value, least, most, what = '') {
    if (!Number.isInteger(value) || value < least || value > most)
        throw new Error(
            `${call}: ${name} is ${shown(value)}; it must be a whole number from ${least} to ${most}${what}`,
        );
    return value;
}
export function finite(call, name, value) {
    if (typeof value !== 'number' || !Number.isFinite(value))
        throw new Error(`${call}: ${name} is ${shown(value)}; it must be a finite number`);
    return value;
}
export function numbers(call, name, value, length) {
    if (value?.length !== length)
        throw new Error(`${call}: ${name} has ${value?.length ?? 'no'} numbers; it must have ${length}`);
    return value;
}
export function text(call, name, value) {
    if (typeof value !== 'string' || !value)
        throw new Error(`${call}: ${name} is ${shown(value)}; it must be a text that is not empty`);
    return value;
}
/** `view`: a texture with its size. Returns it. */
export function textureFor(call, name, view, count) {
    if (!(view?.texture instanceof WebGLTexture))
        throw new Error(`${call}: ${name}.texture is ${shown(view?.texture)}; it must be a WebGLTexture`);
    const {width, height} = view;
    whole(call, `${name}.width`, width, 1, 65536);
    whole(call, `${name}.height`, height, 1, 65536);
    if (width * height < count)
        throw new Error(`${call}: ${name} of ${width}x${height} texels is too small for ${count} elements`);
    return view;
}
/** `given` over `defaults`. A member that is undefined counts as missing. */
export function withDefaults(defaults, given) {
    const present = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
    return {...defaults, ...Object.fromEntries(present)};
}
/** For objects with a fixed list of members. */
export function onlyMembers(call, name, object, known) {
    if (object !== undefined && (typeof object !== 'object' || !object))
        throw new Error(`${call}: ${name} is ${shown(object)}; it must be an object`);
    for (const member of Object.keys(object ?? {}))
        if (!known.includes(member))
            throw new Error(`${call}: ${name}.${member} is not known; there are ${known.join(', ')}`);
}
