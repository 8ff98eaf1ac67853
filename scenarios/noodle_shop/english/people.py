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
)
