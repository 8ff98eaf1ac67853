"""English names of people."""

from scenarios.noodle_shop.speech import People

_LAST = tuple(
    """
    Adams Baker Bennett Brooks Campbell Carter Chapman Clarke Coleman Collins Cooper Cox Davies Dixon Edwards
    Ellis Evans Fisher Fletcher Foster Gibson Graham Grant Gray Green Griffiths Hall Harper Harris Harvey
    Hughes Hunt Jackson Jenkins Johnson Kelly Knight Lawson Lewis Marshall Mason Mitchell Moore Murphy Norris
    Owen Palmer Parker Phillips Porter Reid Roberts Russell Shaw Simpson Stevens Turner Walker Watson Wright
    """.split()
)
PEOPLE = People(
    women=tuple(
        """
        Alice Amelia Anna Beatrice Carol Charlotte Chloe Claire Daisy Diana Eleanor Emily Emma Fiona Grace
        Hannah Helen Isla Jane Julia Kate Laura Lucy Maria Megan Nora Rachel Sarah Sophie Zoe
        """.split()
    ),
    men=tuple(
        """
        Adam Alan Arthur Ben Charles Colin Daniel David Edward Felix Frank George Harry Henry Ian
        Jack James John Leo Liam Lucas Mark Martin Max Oliver Oscar Paul Peter Samuel Thomas
        """.split()
    ),
    last=_LAST,
    last_women=_LAST,
    descriptions=(
        "a tall woman with a red scarf",
        "a short man with a grey beard",
        "a young woman with curly hair",
        "an old man with a walking stick",
        "a man in a blue raincoat",
        "a woman with round glasses",
        "a student with a green backpack",
        "a man with a shaved head",
        "a woman in a white coat",
        "a tall man with a moustache",
        "a girl with freckles and a cap",
        "a woman with long black hair",
        "a man in a grey suit",
        "a woman with a violin case",
        "a broad-shouldered man in a leather jacket",
        "an elderly lady with a straw hat",
        "a thin man with thick glasses",
        "a woman with a tattoo on her wrist",
        "a cyclist with a helmet under one arm",
        "a man with a loud laugh",
        "a woman in running clothes",
        "a red-haired man in a woollen jumper",
        "a woman with silver earrings",
        "a quiet man with a newspaper",
        "a young man with headphones",
        "a woman with a yellow umbrella",
        "a bald man with a kind voice",
        "a nurse in blue clogs",
        "a man with paint on his trousers",
        "a woman with a short fringe",
        "a teenager in a hooded jacket",
        "a man with a camera around his neck",
        "a woman in a green dress",
        "an old man in a checked cap",
        "a tall woman with a deep voice",
        "a man with a guitar on his back",
        "a lady with a small brooch",
        "a young man with a thin moustache",
        "a woman with a big leather bag",
        "a man in muddy boots",
    ),
)
