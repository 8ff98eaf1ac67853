"""Wordings kept apart from those the reader's vocabulary was written with.

They measure whether the reader knows Chinese or only the phrases in `talk`. They were written after it,
by the same author; at first sight it read 96.6 % of them exactly. It was then widened once by rules that
are not about single wordings. Whoever mends the reader by their help has to write new ones.
"""

HELD_OUT: dict[str, tuple[str, ...]] = {
    "order": (
        "我要点一份{dish}{mods}。",
        "请给我{dish}{mods}。",
        "今天选{dish}{mods}。",
        "我想点{dish}{mods}。",
        "肚子饿了，来一碗{dish}{mods}。",
        "还有{dish}吗？有的话给我来一碗{mods}。",
    ),
    "usual": (
        "我还要老样子{mods}。",
        "跟往常一样{mods}，谢谢。",
        "和平时一样{mods}，麻烦你。",
        "你记得我的老样子吧？就那个{mods}。",
        "今天也是老样子{mods}。",
        "照上次那样{mods}。",
    ),
    "last_visit": (
        "我上次来是哪一天？",
        "你能告诉我上次是几号来的吗？",
        "你还记得我上一次什么时候来的吗？",
        "我有多久没来了？",
        "上次我是哪天来的？",
        "请问，我最近一次来是几号？",
    ),
    "recommended": (
        "上次你推荐了什么？",
        "你能再说一下上次推荐的是什么吗？",
        "你还记得给我推荐了什么吗？",
        "上次来你推荐的是哪道菜？",
        "我想知道你上次推荐的是什么。",
        "你上次推荐的加料或者菜是什么？",
    ),
    "liked": (
        "我上次来觉得好吃吗？",
        "上次的饭菜我喜欢吗？",
        "上次那餐我满意吗？",
        "你记得我上次吃得开不开心吗？",
        "你还记得我觉得上次的菜怎么样吗？",
        "我上次是怎么说的，喜欢吗？",
    ),
    "new_wish": (
        "从这一天起，{wishes}，谢谢。",
        "请你记住：{wishes}。",
        "以后的要求：{wishes}。",
        "以后请这样做：{wishes}。",
        "以后每次来都{wishes}，谢谢。",
        "写下来吧：{wishes}。",
    ),
    "reversal": (
        "我不想再吃{old}了，现在要{dish}{mods}。",
        "我从{old}换成{dish}了{mods}。",
        "以前我吃{old}，现在更想吃{dish}{mods}。",
        "从现在起我都要{dish}{mods}。",
        "我的习惯不一样了：{wishes}。",
        "请忘掉我以前的要求，以后{wishes}。",
    ),
    "allergy": (
        "我得说一下，我对{allergy}过敏。",
        "请记下我对{allergy}过敏。",
        "我发现自己对{allergy}过敏。",
        "{allergy}不行，我过敏。",
        "我对{allergy}非常过敏，请注意。",
        "我因为过敏不能吃{allergy}。",
    ),
    "style": (
        "我有一个请求。",
        "请别误会。",
        "还有一件事。",
    ),
    "clarify": (
        "对不起，我要{dish}{mods}。",
        "我点的是{dish}{mods}。",
        "好，一碗{dish}{mods}。",
        "我说了，要{dish}{mods}。",
        "我的愿望是{dish}{mods}。",
        "不，不，我说的是{dish}{mods}。",
    ),
    "feedback_right": (
        "非常好吃，谢谢。",
        "这正是我点的。",
        "跟以前一样好吃。",
        "味道都很好。",
        "我很满意，谢谢。",
        "菜很棒，做得好。",
    ),
    "feedback_wrong": (
        "打扰一下，这个错了，我点的是{dish}{mods}。",
        "这不是我点的，我点的是{dish}{mods}。",
        "这个不对，应该是{dish}{mods}。",
        "你们弄错了，我要{dish}{mods}。",
        "我很失望，因为我要的是{dish}{mods}。",
        "我不喜欢这个，我要的是{dish}{mods}。",
    ),
    "greeting": (
        "各位好。",
        "下雨天来碗热的，你好啊。",
        "嗨，我又来啦。",
        "早上好，这里还是那么舒服。",
    ),
    "mood:cheerful": (
        "我今天真的很高兴。",
        "我感觉棒极了，好开心。",
    ),
    "mood:tired": (
        "我今天累死了。",
        "我昨晚睡得很差。",
    ),
    "mood:sad": (
        "我心情有点低落。",
        "我为一件事难过。",
    ),
    "mood:hurried": (
        "我今天很赶。",
        "没时间了，我要赶火车。",
    ),
    "mood:neutral": (
        "我还好。",
        "没什么好说的。",
    ),
    "small_talk": (
        "今天风很大。",
        "昨晚那场暴雨真厉害。",
        "我弟弟要来城里。",
        "博物馆有新展览。",
    ),
    "praise": (
        "你真好。",
        "服务每次都这么棒。",
        "我很喜欢你照顾我们的方式。",
        "你是个很好的服务员。",
    ),
    "accept": (
        "好，我试试那个。",
        "好，那个也要。",
        "行啊，可以。",
        "当然，很乐意。",
    ),
    "decline": (
        "不，今天不要。",
        "谢谢，我不想要。",
        "不要了，谢谢。",
        "也许下次吧。",
    ),
    "thanks": (
        "谢谢，祝你今天愉快。",
        "谢谢，拜。",
        "再见，下次见。",
        "谢谢，就这些。",
    ),
    "sentence extra-": (
        "以后我不要加{nom}了。",
        "请别再加{nom}了。",
    ),
    "sentence without+": (
        "我不喜欢汤里有{nom}。",
        "请不要加{nom}。",
    ),
    "sentence without-": (
        "可以再放{nom}了。",
        "我现在喜欢{nom}了。",
    ),
    "sentence allergy-": (
        "我不再对{nom}过敏了。",
        "我对{nom}的过敏已经好了。",
    ),
    "sentence style+:short": (
        "请给我简短的回答。",
        "请简短一点。",
    ),
    "sentence style+:detailed": (
        "请把一切都详细告诉我。",
        "我想要更详细的回答。",
    ),
}
