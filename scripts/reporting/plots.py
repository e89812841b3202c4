"""Plots as SVG: rates over numbers of elements, and bars."""

import html
import math

from . import results

# Colours that colour-blind readers can tell apart (Okabe and Ito). Further series have the same colours with dashes.
COLOURS = ["#D55E00", "#0072B2", "#56B4E9", "#777777", "#009E73", "#E69F00", "#CC79A7", "#000000"]
DASHES = ["", "6 3", "2 3", "8 3 2 3"]

WIDTH, HEIGHT = 440, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 34, 40
LEGEND_LINE = 20
LETTER = 6.7  # The width of a letter, about.


def _style(number):
    return COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]


def _text(x, y, text, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{html.escape(text)}</text>'


def _ticks(least, most):
    """1, 3, 10, 30, ... between two rates."""
    exponent = math.floor(math.log10(least))
    ticks = [factor * 10.0 ** e for e in range(exponent, math.ceil(math.log10(most)) + 1) for factor in (1, 3)]
    return [tick for tick in ticks if least <= tick <= most]


def _legend(names, width, y):
    """A legend that is broken into lines, and its height."""
    out, x = [], LEFT
    for number, name in enumerate(names):
        colour, dash = _style(number)
        needed = 50 + LETTER * len(name)
        if x > LEFT and x + needed > width:
            x, y = LEFT, y + LEGEND_LINE
        out.append(f'<line x1="{x:.0f}" y1="{y - 4}" x2="{x + 24:.0f}" y2="{y - 4}" stroke="{colour}" stroke-width="3" '
                   f'stroke-dasharray="{dash}"/>')
        out.append(_text(x + 30, y, name))
        x += needed
    return out, y + LEGEND_LINE / 2


def _panel(title, series, names, x0, width, limits, unit):
    (n_min, n_max), (rate_min, rate_max) = limits
    span = math.log2(n_max / n_min) or 1

    def x(n):
        return x0 + LEFT + (width - LEFT - RIGHT) * (math.log2(n / n_min) / span)

    def y(rate):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log(rate / rate_min) / math.log(rate_max / rate_min))

    out = [_text(x0 + LEFT, 20, title, ' font-weight="bold"')]
    first, last = math.ceil(math.log2(n_min)), math.floor(math.log2(n_max))
    for exponent in range(first, last + 1, 4 if last - first > 12 else 2):
        at = x(1 << exponent)
        out.append(f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">2<tspan dy="-4" '
                   f'font-size="9">{exponent}</tspan></text>')
    for tick in _ticks(rate_min, rate_max):
        out.append(f'<line x1="{x0 + LEFT}" y1="{y(tick):.1f}" x2="{x0 + width - RIGHT}" y2="{y(tick):.1f}" '
                   'stroke="#e4e4e4"/>')
        out.append(_text(x0 + LEFT - 6, y(tick) + 4, f"{tick / unit:g}", ' text-anchor="end"'))
    # The first series on top.
    for name, points in reversed(series.items()):
        colour, dash = _style(names.index(name))
        line = " ".join(f"{x(n):.1f},{y(rate):.1f}" for n, rate in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2" '
                   f'stroke-dasharray="{dash}"/>')
        for n, rate in points:
            out.append(f'<circle cx="{x(n):.1f}" cy="{y(rate):.1f}" r="3" fill="{colour}"><title>'
                       f'{html.escape(name)}, {n} elements: {rate / unit:.3g}</title></circle>')
    out.append(_text(x0 + (LEFT + width - RIGHT) / 2, HEIGHT - 6, "elements", ' text-anchor="middle"'))
    return out


def rates(panels, width=WIDTH):
    """Charts side by side with equal axes, both logarithmic. A panel is a title and, for each series by its name, a
    list of pairs: a number of elements, and elements a second."""
    points = [point for _, series in panels for line in series.values() for point in line]
    names = list(dict.fromkeys(name for _, series in panels for name in series))
    most = max(rate for _, rate in points)
    unit, unit_name = (1e9, "G") if most >= 1e9 else (1e6, "M")
    limits = ((min(n for n, _ in points), max(n for n, _ in points)),
              (min(rate for _, rate in points) / 1.3, most * 1.3))
    whole = width * len(panels)
    legend, bottom = _legend(names, whole, HEIGHT + 16)
    height = math.ceil(bottom)
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {height}" width="{whole}" height="{height}" '
           'font-family="sans-serif" font-size="12" fill="#222">',
           f'<rect width="{whole}" height="{height}" fill="#fff"/>',
           f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{unit_name} '
           'elements/s</text>']
    for number, (title, series) in enumerate(panels):
        out += _panel(title, series, names, number * width, width, limits, unit)
    return "\n".join(out + legend + ["</svg>"]) + "\n"


def bars(title, groups, unit, width=WIDTH * 2):
    """Horizontal bars from 0. A group has a name and, for each series by its name, a number."""
    names = list(dict.fromkeys(name for _, series in groups for name in series))
    left = 16 + LETTER * max(len(name) for name, _ in groups)
    thick, gap = 9, 8
    most = max(number for _, series in groups for number in series.values())
    scale = (width - left - 80) / most
    out, y = [_text(8, 20, title, ' font-weight="bold"')], TOP
    for name, series in groups:
        out.append(_text(left - 8, y + thick * len(series) / 2 + 4, name, ' text-anchor="end"'))
        for sort, number in series.items():
            colour, _ = _style(names.index(sort))
            out.append(f'<rect x="{left:.0f}" y="{y}" width="{number * scale:.1f}" height="{thick - 1}" '
                       f'fill="{colour}"><title>{html.escape(sort)}</title></rect>')
            value = f"{results.three_digits(number)} {unit}"
            out.append(_text(left + number * scale + 6, y + thick - 1, value, ' font-size="9"'))
            y += thick
        y += gap
    legend, bottom = _legend(names, width, y + 16)
    height = math.ceil(bottom)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="sans-serif" font-size="12" fill="#222">')
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="#fff"/>'] + out + legend + ["</svg>"]) + "\n"
