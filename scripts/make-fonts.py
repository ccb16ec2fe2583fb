"""Makes the fonts of reports: server/reports/fonts, from the packages @expo-google-fonts/* (each unpacked into <folder>/<name>).

    for name in inter noto-sans-sc …; do mkdir $name; npm pack @expo-google-fonts/$name | xargs tar xz -C $name; done
    pip install fonttools
    python scripts/make-fonts.py <folder>

Why subsets under names of our own: the complete fonts are 50 MB, and a report must look the same whatever fonts the
machine has, so a family's name may not be one that could be installed there. Han has the 10,269 characters of
GB 2312, JIS X 0208 and Big5 level 1; Hangul all syllables. What no font covers is shown as U+FFFD.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

packages = Path(sys.argv[1])
target = Path(__file__).parent.parent / 'server' / 'reports' / 'fonts'


def encoded(encoding, leads, trails=range(0x40, 0xFF)):
    """Code points of a two-byte encoding."""
    found = set()
    for lead in leads:
        for trail in trails:
            try:
                found.update(map(ord, bytes([lead, trail]).decode(encoding)))
            except UnicodeDecodeError:
                pass
    return found


def span(*ranges):
    return {code for first, last in ranges for code in range(first, last + 1)}


common_han = (
    encoded('gb2312', range(0xA1, 0xF8)) | encoded('euc_jp', range(0xA1, 0xF5)) | encoded('big5', range(0xA4, 0xC7))
) & span((0x4E00, 0x9FFF))
han = common_han | span((0x3000, 0x30FF), (0x31F0, 0x31FF), (0xFF00, 0xFFEF))
hangul = span((0xAC00, 0xD7A3), (0x3130, 0x318F))
technical = span((0x2190, 0x2BFF))

# Kerning, marks and tabular figures. Inter's other features took a third of the time for typesetting a page.
latin_features = ['kern', 'mark', 'mkmk', 'tnum']
everything = ['*']
scripts = (
    'arabic armenian bengali devanagari georgian gujarati gurmukhi hebrew kannada khmer lao malayalam myanmar '
    'sinhala tamil telugu thai'
).split()

# File and family, package, weight, code points (None: all), layout features.
fonts = [
    ('Sans-Regular', 'Assay Sans', 'inter', '400Regular', None, latin_features),
    ('Sans-Italic', 'Assay Sans', 'inter', '400Regular_Italic', None, latin_features),
    ('Sans-SemiBold', 'Assay Sans', 'inter', '600SemiBold', None, latin_features),
    # Without ligatures, so that evidence shows each character unchanged.
    ('Mono-Regular', 'Assay Mono', 'jetbrains-mono', '400Regular', None, ['ccmp', 'mark', 'mkmk']),
    ('Han-Regular', 'Assay Han', 'noto-sans-sc', '400Regular', han, []),
    ('Hangul-Regular', 'Assay Hangul', 'noto-sans-kr', '400Regular', hangul, []),
    ('Emoji-Regular', 'Assay Emoji', 'noto-emoji', '400Regular', None, everything),
    ('Symbols-Regular', 'Assay Symbols', 'noto-sans-symbols-2', '400Regular', technical, []),
    ('Math-Regular', 'Assay Math', 'noto-sans-math', '400Regular', technical | span((0x1D400, 0x1D7FF)), []),
    # Only U+FFFD, for characters that no other font contains.
    ('Replacement-Regular', 'Assay Replacement', 'noto-sans', '400Regular', {0xFFFD}, []),
    *(
        (f'{name.title()}-Regular', f'Assay {name.title()}', f'noto-sans-{name}', '400Regular', None, everything)
        for name in scripts
    ),
]


def rename(font, family):
    """Calls the font by our name, and keeps its copyright and licence."""
    names = font['name']
    style = names.getDebugName(17) or names.getDebugName(2)
    plain = style in ('Regular', 'Bold', 'Italic')
    postscript = f'{family}-{style}'.replace(' ', '')
    for number in (16, 17, 21, 22, 25):
        names.removeNames(nameID=number)
    values = {1: family if plain else f'{family} {style}', 2: style if plain else 'Regular', 3: postscript,
              4: f'{family} {style}', 6: postscript}
    if not plain:
        values |= {16: family, 17: style}
    for number, value in values.items():
        names.setName(value, number, 3, 1, 0x409)


def make(file, family, package, weight, code_points, features):
    source = next((packages / package / 'package' / weight).glob('*.ttf'))
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options(
        hinting=False, layout_features=features, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17],
        notdef_outline=True, drop_tables=['DSIG', 'STAT', 'meta', 'MATH'],
    )
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=font.getBestCmap().keys() if code_points is None else code_points)
    cutter.subset(font)
    rename(font, family)
    font.save(target / f'{file}.ttf')


def licences():
    """Each package's own licence file: the copyright lines differ, the licence is the same."""
    texts = {(packages / package / 'package' / 'LICENSE_FONT').read_text() for _, _, package, *_ in fonts}
    copyrights = sorted({text.splitlines()[0].strip() for text in texts})
    licence = next(text for text in sorted(texts)).split('\n', 1)[1].strip()
    return '\n'.join(copyrights) + '\n\n' + licence + '\n'


target.mkdir(exist_ok=True)
for font in fonts:
    make(*font)
(target / 'OFL.txt').write_text(licences())
