"""English that the shop's phrases do not say: what a customer might, and what it claims or asks."""

import pytest

from scenarios.noodle_shop.menu import standard_menu
from scenarios.noodle_shop.reader import Reader

READER = Reader("en", standard_menu())
# "?usual" asks for it; "extra=-egg" takes it back.
SENTENCES = [
    ("I was thinking of the laksa, but actually, no, make that the pho.", "dish=beef_pho"),
    ("Miso ramen with everything but the ginger.", "dish=miso_ramen without=ginger"),
    ("I'll try your laksa, provided there's no coriander in it.", "dish=laksa without=coriander"),
    ("Could you swap the egg for tofu in my miso ramen?", "dish=miso_ramen extra=-egg extra=tofu"),
    ("The tantanmen without peanuts? I mean, without sesame, sorry.", "dish=tantanmen without=sesame"),
    ("Pho today. Extra coriander? No, none at all, please.", "dish=beef_pho without=coriander"),
    ("I'm starving, so the biggest laksa you've got.", "dish=laksa portion=large"),
    ("Udon, and don't be shy with the chilli.", "dish=curry_udon spice=hot"),
    ("Same again, please, with an extra egg this time.", "?usual extra=egg"),
    ("Do you remember what I usually have?", "?usual"),
    ("I guess you know by now what I want.", "?usual"),
    ("My normal bowl, please, and keep the garlic out.", "?usual without=garlic"),
    ("What I had last time was good, I'll take that again.", "?usual"),
    ("My last visit, when was that?", "?last_visit"),
    ("Did I come in last week or the week before?", "?last_visit"),
    ("How many weeks have gone by since I last ate here?", "?last_visit"),
    ("You told me to try something new, but I forget what.", "?recommended"),
    ("What was the dish you were pushing last time?", "?recommended"),
    ("I've forgotten your suggestion from last week.", "?recommended"),
    ("What did you recommend when I was here on Monday?", "?recommended"),
    ("Did the last meal agree with me?", "?liked"),
    ("Was I pleased or disappointed last time?", "?liked"),
    ("What feedback did I give you last time?", "?liked"),
    ("Every time I come: egg in, coriander out.", "extra=egg without=coriander"),
    ("Make a note of it: tofu always, sesame never.", "extra=tofu without=sesame"),
    ("Could all my soups be a bit less spicy in future?", "spice=mild"),
    ("It would be nice if there was always some corn in my soup.", "extra=corn"),
    ("I'd like it if you left out the garlic.", "without=garlic"),
    ("From now on my usual is the laksa.", "dish=laksa"),
    ("I've switched my usual from soba to tantanmen.", "dish=tantanmen"),
    ("I prefer tantanmen to my old miso ramen now.", "dish=tantanmen"),
    ("It's tantanmen from now on, I've had my fill of shoyu.", "dish=tantanmen"),
    ("I used to hate sesame, but now it's fine.", "without=-sesame"),
    ("I used to like mushrooms, but please leave them out now.", "extra=-mushroom"),
    ("I've changed my mind about garlic: I want it after all.", "without=-garlic"),
    ("There's no reason to leave out the sprouts any more.", "without=-bean_sprout"),
    ("You used to leave out ginger for me; you can add it now.", "without=-ginger"),
    (
        "No longer any egg or bamboo, the coriander, spring onion and garlic may go back in.",
        "extra=-egg extra=-bamboo without=-coriander without=-spring_onion without=-garlic",
    ),
    ("Mushrooms are out, tofu is in.", "extra=-mushroom extra=tofu"),
    ("I've decided against pork from now on.", "extra=-pork"),
    ("My throat swells up when I eat prawns.", "allergy=shellfish"),
    ("My allergist says to stay away from eggs.", "allergy=egg"),
    ("I'm allergic, so no sesame for me under any circumstances.", "allergy=sesame"),
    ("Please, no peanuts for me. I'm allergic.", "allergy=peanut"),
    ("Does that contain peanuts? I'm allergic to them.", "allergy=peanut"),
    ("I'm allergic to eggs but not to fish.", "allergy=egg allergy=-fish"),
    ("I used to be allergic to eggs, but not any more.", "allergy=-egg"),
    ("I thought I was allergic to soy, but I'm not.", "allergy=-soy"),
    ("I can eat peanuts again, the allergy is gone.", "allergy=-peanut"),
    ("Don't waffle, just tell me.", "style=short"),
    ("Your answers are too long for me.", "style=short"),
    ("Please spare me the details.", "style=short"),
    ("Don't be so brief with me, I like to hear more.", "style=detailed"),
    ("I prefer it when you explain things in detail.", "style=detailed"),
    ("You got my order right.", "liked=good"),
    ("I couldn't be happier with that bowl.", "liked=good"),
    ("The order was right and the soup was hot.", "liked=good"),
    ("Nothing was missing and it tasted wonderful.", "liked=good"),
    ("I can't say I enjoyed it.", "liked=bad"),
    ("I asked for tantanmen and got laksa.", "liked=bad dish=tantanmen"),
    ("You put in garlic, but I said no garlic.", "liked=bad without=garlic"),
    ("I got the udon instead of the soba.", "liked=bad dish=cold_soba"),
    ("The egg was missing. I ordered tonkotsu with egg.", "liked=bad dish=tonkotsu_ramen extra=egg"),
    ("I asked for mild, but this is very hot.", "liked=bad spice=mild"),
    ("You make the best noodles in town.", ""),
    ("The smell in here is delicious.", ""),
    ("The film I saw yesterday was wonderful.", ""),
    ("I had a terrible day at work, everything went wrong.", ""),
    ("That sounds delicious, I'll have one.", ""),
    ("No, I'm happy with what I have.", ""),
    ("It's so hot outside today.", ""),
]


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_english_is_read_as_people_read_it(text: str, expected: str) -> None:
    claimed = {f"{one.slot}={'-' if one.polarity < 0 else ''}{one.value}" for one in READER.claims(text)}
    assert claimed | {f"?{name}" for name in READER.asked(text)} == set(expected.split())
