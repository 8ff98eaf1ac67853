"""Wordings kept apart from those the reader's vocabulary was written with.

They measure whether the reader knows English or only the phrases in `talk`. They were written after it,
by the same author; at first sight it read 96.4 % of them exactly. It was then widened once by rules that
are not about single wordings. Whoever mends the reader by their help has to write new ones.
"""

HELD_OUT: dict[str, tuple[str, ...]] = {
    "order": (
        "I'm going to have the {dish_acc}{mods}.",
        "Get me the {dish_acc}{mods}, please.",
        "Today's choice: the {dish_acc}{mods}.",
        "I would like to order the {dish_acc}{mods}.",
        "Is there any {dish_nom} left? Then that for me{mods}.",
        "Hungry as I am, I'll need the {dish_acc}{mods}.",
    ),
    "usual": (
        "I'll stick to my usual{mods}.",
        "As always{mods}, please.",
        "The same as ever{mods}, thank you.",
        "You remember my usual, don't you? That one{mods}.",
        "My favourite again, the usual{mods}.",
        "Just the usual for me today{mods}.",
    ),
    "last_visit": (
        "When was my last visit again?",
        "What was the date when I last came?",
        "Do you happen to know when I was last here?",
        "How long has it been since I was in here last?",
        "On what day did I come last time?",
        "Tell me, when did I last visit you?",
    ),
    "recommended": (
        "What had you recommended last time?",
        "Can you tell me again what you suggested the last time?",
        "Do you still know what you recommended to me?",
        "What dish was it that you suggested on my last visit?",
        "I wanted to remember your recommendation. What was it?",
        "Which extra or dish were you suggesting last time?",
    ),
    "liked": (
        "Did I like my meal the last time I was here?",
        "How did I like the food last time?",
        "Was I satisfied with my last meal?",
        "Do you remember whether I enjoyed my last meal?",
        "Can you recall how I found the food last time?",
        "What did I say about it last time, did I like it?",
    ),
    "new_wish": (
        "From this day on {wishes}, please.",
        "I'd like you to remember this: {wishes}.",
        "A request for the future: {wishes}.",
        "Please do it like this from now on: {wishes}.",
        "Each time I come from now on, {wishes}, please.",
        "Here is something to write down: {wishes}.",
    ),
    "reversal": (
        "I don't want the {old_acc} any more. My order is now the {dish_acc}{mods}.",
        "I'm switching from the {old_acc} to the {dish_acc}{mods}.",
        "The {old_acc} used to be mine, now I'd rather have the {dish_acc}{mods}.",
        "From now on I'll always take the {dish_acc}{mods}.",
        "My habits are different now: {wishes}.",
        "Please forget my old wishes. From now on {wishes}.",
    ),
    "allergy": (
        "I should mention that I'm allergic to {allergy_nom}.",
        "Please note my allergy to {allergy_nom}.",
        "I found out that I'm allergic to {allergy_nom}.",
        "{allergy_nom}? No, I'm allergic.",
        "I am very allergic to {allergy_nom}, so please take care.",
        "Because of an allergy I can't eat {allergy_nom}.",
    ),
    "style": (
        "I have one request.",
        "Please don't take this the wrong way.",
        "Something else.",
    ),
    "clarify": (
        "Sorry, I wanted the {dish_acc}{mods}.",
        "I ordered the {dish_acc}{mods}.",
        "All right: one {dish_nom}{mods}.",
        "So, the {dish_acc}{mods}, as I said.",
        "My wish is the {dish_acc}{mods}.",
        "No, no, I mean the {dish_acc}{mods}.",
    ),
    "feedback_right": (
        "It was very good, thank you.",
        "That was exactly what I ordered.",
        "Delicious as always.",
        "Everything tasted wonderful.",
        "I'm very happy with it, thank you.",
        "The food was excellent, well done.",
    ),
    "feedback_wrong": (
        "Excuse me, this is wrong. My order was the {dish_acc}{mods}.",
        "That is not what I ordered. I ordered the {dish_acc}{mods}.",
        "This isn't right, it should be the {dish_acc}{mods}.",
        "You made a mistake, I wanted the {dish_acc}{mods}.",
        "I'm disappointed, because I asked for the {dish_acc}{mods}.",
        "I didn't like that. I wanted the {dish_acc}{mods}.",
    ),
    "greeting": (
        "Hello there, everybody.",
        "Good evening, it's {name}.",
        "Hi, I'm here again.",
        "Good morning, a lovely place as ever.",
    ),
    "mood:cheerful": (
        "I'm really happy today.",
        "I feel wonderful.",
    ),
    "mood:tired": (
        "I'm exhausted today.",
        "I slept so badly.",
    ),
    "mood:sad": (
        "I'm feeling a bit low.",
        "I'm sad about something.",
    ),
    "mood:hurried": (
        "I'm in a rush today.",
        "There's little time, I have to catch a train.",
    ),
    "mood:neutral": (
        "I'm fine.",
        "Nothing much to tell.",
    ),
    "small_talk": (
        "It's windy today.",
        "What a storm that was last night.",
        "My brother is coming to town.",
        "The museum has a new exhibition.",
    ),
    "praise": (
        "You are so kind.",
        "The service is great, as it is every time.",
        "I really like the way you look after us.",
        "You're a very good waiter.",
    ),
    "accept": (
        "Yes, I'll try that.",
        "Good, I'll have that too.",
        "Why not, yes.",
        "Of course, with pleasure.",
    ),
    "decline": (
        "No, not today.",
        "Thank you, but I don't want that.",
        "I'll do without, thanks.",
        "Some other time, perhaps.",
    ),
    "thanks": (
        "Thank you, have a good day.",
        "Thanks, bye.",
        "Goodbye, see you next time.",
        "Thank you, that was all.",
    ),
    "sentence extra-": (
        "I don't want any extra {nom} from now on.",
        "Please don't add {nom} any more.",
    ),
    "sentence without+": (
        "I don't like {nom} in my soup.",
        "Please don't put any {either} in.",
    ),
    "sentence without-": (
        "You can add {nom} again.",
        "I like {nom} now.",
    ),
    "sentence allergy-": (
        "I am not allergic to {nom} any more.",
        "My allergy to {nom} has gone.",
    ),
    "sentence style+:short": (
        "Please give me short answers.",
        "Be brief, please.",
    ),
    "sentence style+:detailed": (
        "Please tell me everything in detail.",
        "I'd like longer answers, please.",
    ),
}
