"""Owns the sentences that the synthesizers read: own wording, made from small grammars, seeded.

Content must not tell the classes apart, so sentences vary in length, kind and language.
"""
import random

WHO = ["my sister", "the engineer", "our neighbour", "a young doctor", "the whole committee", "his teacher", "the night porter",
       "one of the passengers", "the old farmer", "her youngest son", "an honest witness", "the project leader", "the captain", "nobody here"]
DID = ["forgot", "wanted to see", "described", "was looking for", "finally repaired", "could not find", "carried away", "asked about",
       "had written down", "sold", "borrowed", "never trusted", "is going to check", "used to visit"]
WHAT = ["the broken radio", "a bridge across the river", "the account number", "three boxes of apples", "the last train to the coast",
        "a letter from the bank", "the green house behind the school", "his own measurements", "the opening hours of the museum",
        "a pair of winter shoes", "the password for the office", "those photographs", "the shortest way home", "a quiet place to work"]
WHEN = ["on Thursday morning", "before the meeting began", "when it started to rain", "for more than twenty years", "without saying a word",
        "just after midnight", "because nobody else would", "as far as I remember", "in the middle of July", "while we were waiting outside"]
ASK = ["Could you please tell me", "I would like to know", "Do you remember", "Please confirm", "We still have to decide", "I am calling to ask"]
ABOUT = ["how much the repair will cost", "whether the parcel has arrived", "when the next appointment is free", "why the transfer was refused",
         "which of the two roads is shorter", "what happened to my order", "who signed the agreement", "where the keys are kept"]
SHORT = ["Yes, that is correct.", "No, thank you very much.", "My voice is my password.", "Good evening, how are you?", "I changed my mind again.",
         "It is snowing in the mountains.", "Wait a moment, please.", "That was a long time ago."]
OTHER = {
    "de": ["Guten Morgen, ich möchte gern einen Termin für nächsten Freitag.", "Der Zug nach Hamburg hat heute zwanzig Minuten Verspätung.",
           "Können Sie mir bitte sagen, wo der Schlüssel liegt?", "Im Winter gehen wir oft am Fluss spazieren.", "Meine Kontonummer steht auf dem alten Brief."],
    "fr": ["Bonjour, je voudrais prendre rendez-vous pour vendredi prochain.", "Le train pour Lyon a vingt minutes de retard aujourd'hui.",
           "Pouvez-vous me dire où se trouve la clé ?", "En hiver, nous marchons souvent au bord de la rivière.", "Mon numéro est écrit sur la vieille lettre."],
    "es": ["Buenos días, quisiera una cita para el próximo viernes.", "El tren de Sevilla llega hoy con veinte minutos de retraso.",
           "¿Me puede decir dónde están las llaves?", "En invierno paseamos mucho junto al río.", "Mi número está escrito en la carta vieja."],
    "it": ["Buongiorno, vorrei un appuntamento per venerdì prossimo.", "Il treno per Torino oggi ha venti minuti di ritardo.",
           "Mi può dire dove sono le chiavi?", "In inverno camminiamo spesso lungo il fiume.", "Il mio numero è scritto sulla vecchia lettera."],
    "pt": ["Bom dia, queria marcar uma consulta para sexta-feira.", "O comboio do Porto chega hoje com vinte minutos de atraso.",
           "Pode dizer-me onde estão as chaves?", "No inverno passeamos muito junto ao rio."],
    "cs": ["Dobrý den, chtěl bych se objednat na příští pátek.", "Vlak do Brna má dnes dvacet minut zpoždění.", "Můžete mi říct, kde leží klíč?",
           "V zimě chodíme často podél řeky.", "Moje číslo je napsané na starém dopise."],
    "fi": ["Hyvää huomenta, haluaisin varata ajan ensi perjantaiksi.", "Juna Turkuun on tänään kaksikymmentä minuuttia myöhässä.",
           "Voitteko kertoa, missä avain on?", "Talvella kävelemme usein joen rannalla.", "Numeroni on kirjoitettu vanhaan kirjeeseen."],
    "ru": ["Доброе утро, я хотел бы записаться на следующую пятницу.", "Поезд до Казани сегодня опаздывает на двадцать минут.",
           "Скажите, пожалуйста, где лежит ключ?", "Зимой мы часто гуляем вдоль реки.", "Мой номер написан на старом письме."],
    "ca": ["Bon dia, voldria una cita per a divendres que ve.", "El tren de Girona avui arriba amb vint minuts de retard.",
           "Em pot dir on són les claus?", "A l'hivern passegem sovint vora el riu."],
    "hi": ["नमस्ते, मुझे अगले शुक्रवार का समय चाहिए।", "आज गाड़ी बीस मिनट देर से आएगी।", "कृपया बताइए चाबी कहाँ है?", "सर्दियों में हम नदी के किनारे चलते हैं।"],
    "mr": ["नमस्कार, मला पुढच्या शुक्रवारी वेळ हवी आहे।", "आज गाडी वीस मिनिटे उशिरा येईल।", "चावी कुठे आहे ते सांगा।"],
    "te": ["నమస్కారం, నాకు వచ్చే శుక్రవారం సమయం కావాలి.", "ఈ రోజు రైలు ఇరవై నిమిషాలు ఆలస్యం.", "తాళం చెవి ఎక్కడ ఉంది?"],
    "ja": ["おはようございます。来週の金曜日に予約をお願いします。", "今日は電車が二十分遅れています。", "鍵がどこにあるか教えてください。", "冬には川のそばをよく散歩します。"],
    "nl": ["Goedemorgen, ik wil graag een afspraak voor vrijdag.", "De trein naar Utrecht heeft vandaag twintig minuten vertraging."],
    "pl": ["Dzień dobry, chciałbym umówić się na piątek.", "Pociąg do Krakowa ma dziś dwadzieścia minut opóźnienia."],
    "tr": ["Günaydın, cuma günü için randevu almak istiyorum.", "Tren bugün yirmi dakika gecikmeli geliyor."],
}


def english(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.45:
        s = f"{rng.choice(WHO)} {rng.choice(DID)} {rng.choice(WHAT)} {rng.choice(WHEN)}."
        return s[0].upper() + s[1:]
    if kind < 0.7:
        return f"{rng.choice(ASK)} {rng.choice(ABOUT)}" + rng.choice([".", f", {rng.choice(WHEN)}."])
    if kind < 0.85:
        return "My number is " + ", ".join(str(rng.randint(0, 9)) for _ in range(rng.randint(6, 10))) + "."
    return rng.choice(SHORT) + " " + rng.choice(SHORT)


def sentence(lang: str, rng: random.Random) -> str:
    if lang == "en":
        return english(rng)
    pool = OTHER[lang]
    return " ".join(rng.sample(pool, min(len(pool), rng.choice([1, 1, 2]))))
