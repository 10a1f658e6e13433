"""Words of a question about a time that name no subject: tables only, by language."""

# What a question may say beside a time and function words.
GENERAL = {
    "en": """happen happened happening occur occurred go going went gone on take took taken place new newest news latest
        update updates status progress summary summarize summarise recap overview review activity activities event
        events thing things stuff everything anything something nothing show list tell give get find recall remember
        remembered memory memories store stored save saved record recorded please work worked working back week day
        month year weekend quarter time period made since before after until during between""",
    "de": """passiert passierte geschehen geschah geschehenes gemacht machten machen tat taten getan tun los gab neues
        neu neuigkeiten stand fortschritt zusammenfassung überblick ereignisse ereignis sachen dinge alles etwas
        zeig zeige liste gib erzähl nenne gespeichert gemerkt gearbeitet erledigt lief ging bitte habt haben war
        waren""",
    "fr": """passé passe arrivé arrive fait faits faisons faire neuf nouveau nouveautés nouvelles résumé bilan état
        événements choses tout montre liste donne dis raconte enregistré mémorisé travaillé avons avez ont""",
    "es": """pasó pasado ocurrió sucedió hicimos hecho hacer hizo hicieron nuevo nueva novedades resumen estado progreso
        eventos cosas todo algo muestra lista dame dime cuenta guardado guardamos trabajamos trabajado hemos hubo""",
    "pt": """aconteceu ocorreu fizemos feito fazer fez fizeram novo nova novidades resumo estado progresso eventos
        coisas
        tudo algo mostra mostre liste diga guardado guardamos trabalhamos houve passou""",
    "it": """cosa abbiamo successo accaduto succede fatto facemmo fare novità nuovo nuova riassunto riepilogo
        stato eventi cose tutto qualcosa mostra elenca dimmi salvato lavorato""",
    "ru": """произошло происходило случилось случалось делали делал сделали сделано сделал было был были нового новое
        новости итоги сводка обзор события событие вещи всё все покажи перечисли расскажи сохранили сохранено
        работали мы""",
}
# What was done: it orders what a time has, and is no subject either.
ACTIVITY = {
    "en": """decide decided decision decisions discuss discussed discussion discussions talk talked learn learned learnt
        change changed changes fix fixed add added build built write wrote written say said finish finished complete
        completed accomplish accomplished achieve achieved plan planned agree agreed note noted notes implement
        implemented""",
    "de": """entschieden entscheiden entscheidung entscheidungen beschlossen besprochen gelernt geändert behoben gebaut
        geschrieben gesagt fertig geplant vereinbart notiert notizen""",
    "fr": """décidé décision décisions discuté appris changé corrigé ajouté écrit dit terminé prévu convenu noté
        notes""",
    "es": """decidimos decidido decisión decisiones hablamos discutimos aprendimos cambiamos cambió arreglamos añadimos
        escribimos dijimos terminamos acordamos notas""",
    "pt": """decidimos decidido decisão decisões falamos discutimos aprendemos mudamos mudou corrigimos adicionamos
        notas""",
    "it": """deciso decisione decisioni discusso imparato cambiato corretto aggiunto scritto detto finito note""",
    "ru": """решили решение решения решено обсуждали обсудили узнали изменили исправили добавили написали договорились
        заметки""",
}
# The same of languages without spaces between words or endings, with their function words, separated by `|`.
UNSPACED = {
    "zh": "我们|咱们|你们|他们|大家|做|干|完成|发生|进行|什么|哪些|怎么|事情|事|工作|内容|记录|新|有|了|过|"
    "的|吗|呢|都|在|是|我|你|和|请|列出|总结|告诉|一下|些|到|从|以来|里|中|内|決定|决定|讨论|学",
    "ja": "何|なに|なん|どんな|こと|事|した|して|しました|する|します|ました|ます|やった|やり|あった|あり|"
    "起き|起こ|っ|たち|私|僕|我々|です|ですか|か|が|は|を|に|の|で|も|と|から|まで|新しい|教えて|"
    "ください|まとめ|作業|進捗|決め|決定|話し|た|て|い|き|り",
    "ko": "무엇을|무엇|무슨|뭐|뭘|뭐를|일|이|가|을|를|은|는|에|에는|에서|우리|우리가|우리는|나|했|했나요|"
    "했지|했어|했습니까|하|한|있었|있었나|일어났|나요|습니까|어요|지|요|것|새로운|알려|줘|주세요|"
    "요약|결정|의|도|까지|부터",
}
