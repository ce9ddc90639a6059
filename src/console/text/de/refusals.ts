// Deutsch: was der Server ablehnt, nach seinen englischen Sätzen. {1}, {2} sind die Stellen, an denen er etwas einsetzt.
import type { text as en } from '../en/refusals.js';
import { germanNumbers } from '../tools.js';
import { manifests, wholeRefusals } from './refused-whole.js';

/** Was fehlt, zu lang oder zu kurz ist. */
const sizes = {
  'is mandatory': 'Dieses Feld ist erforderlich.',
  'exactly one of {1} is mandatory': 'Genau eines davon ist erforderlich: {1}.',
  'must have at least one entry': 'Geben Sie mindestens einen Eintrag an.',
  'must have at least {1} characters': 'Mindestens {1} Zeichen sind nötig.',
  'must have at most {1} characters': 'Höchstens {1} Zeichen sind möglich.',
  'must have 1 to {1} characters': '1 bis {1} Zeichen sind möglich.',
  'must have at most {1} entries': 'Höchstens {1} Einträge sind möglich.',
  'must have at most {1} keys': 'Höchstens {1} Schlüssel sind möglich.',
  'must be 1 to {1} certificates': '1 bis {1} Zertifikate sind möglich.',
  'must be at most {1} bytes': 'Höchstens {1} Bytes sind möglich.',
  'has {1} entries; at most {2} are allowed': 'Das sind {1} Einträge; höchstens {2} sind möglich.',
  'lists are limited to {1} entries': 'Eine Liste kann höchstens {1} Einträge haben.',
  'keys must have 1 to {1} characters': 'Namen müssen 1 bis {1} Zeichen haben.',
  'at most {1} voiceprints may be listed': 'Höchstens {1} Stimmabdrücke können genannt werden.',
  'at most {1} groupings': 'Höchstens {1} Gruppierungen sind möglich.',
  'at most {1} pairs': 'Höchstens {1} Paare sind möglich.',
  'has more than {1} voiceprints: split it': 'Das sind mehr als {1} Stimmabdrücke: Teilen Sie die Liste auf.',
  'already has {1} revisions: delete old ones': 'Es gibt schon {1} Revisionen: Löschen Sie alte.',
  'a site can have at most {1} agents': 'Ein Standort kann höchstens {1} Agenten haben.',
};

/** Was andere inzwischen getan haben. */
const meanwhile = {
  'was changed in the meantime by {1}': 'Inzwischen geändert von {1}.',
  'was changed in the meantime': 'Inzwischen geändert.',
  'must be a different person from gk_person_id': 'Wählen Sie eine andere Person.',
};

/** Zahlen und Zeiten. */
const numbers = {
  'must be from {1} to {2}': 'Der Wert muss zwischen {1} und {2} liegen.',
  'must be from 0 to {1} ms': 'Der Wert muss zwischen 0 und {1} ms liegen.',
  'must be above 0 and below 1': 'Der Wert muss über 0 und unter 1 liegen.',
  'must be above 0 and at most {1}: a threshold that accepts more than one impostor in ten protects nobody':
    'Der Wert muss über 0 liegen und darf höchstens {1} sein: Eine Schwelle, die mehr als einen von zehn Fremden akzeptiert, schützt niemanden.',
  'must be greater than zero': 'Der Wert muss größer als null sein.',
  'must not be negative': 'Der Wert darf nicht negativ sein.',
  'must be at most {1}': 'Der Wert darf höchstens {1} sein.',
  "must be at most the agent's slots, {1}":
    'Der Wert darf nicht größer sein als die gleichzeitigen Gespräche des Agenten, {1}.',
  'must not be below {1}': 'Der Wert darf nicht kleiner sein als {1}.',
  'must be a number': 'Geben Sie eine Zahl ein.',
  'must be a whole number': 'Geben Sie eine ganze Zahl ein.',
  'must be a whole number of at most 18 digits': 'Geben Sie eine ganze Zahl mit höchstens 18 Ziffern ein.',
  'must be a list of numbers from {1} to {2}': 'Geben Sie eine Liste von Zahlen von {1} bis {2} ein.',
  'must ascend': 'Die Zahlen müssen aufsteigen.',
  'must be true or false': 'Der Wert muss true oder false sein.',
  'counts from 1': 'Die Zählung beginnt bei 1.',
  'must be a date in the form YYYY-MM-DD': 'Geben Sie das Datum in der Form JJJJ-MM-TT ein.',
  'is not an IANA time zone name': 'Das ist kein IANA-Name einer Zeitzone, etwa Europe/Berlin.',
  'must be before end_time': 'Der Anfang muss vor dem Ende liegen.',
  'must not be after end_time': 'Der Anfang darf nicht nach dem Ende liegen.',
  'must be in the future': 'Der Zeitpunkt muss in der Zukunft liegen.',
  'is before start_time': 'Das Ende liegt vor dem Anfang.',
  'ends before it starts': 'Das Ende liegt vor dem Anfang.',
  'must be at least a minute and give at most {1} intervals':
    'Der Abstand muss mindestens eine Minute betragen und darf höchstens {1} Abschnitte ergeben.',
  'would replay more than {1} events; choose a shorter time':
    'Das sind mehr als {1} Ereignisse; wählen Sie einen kürzeren Zeitraum.',
  'rates must be between 0 and 1': 'Raten liegen zwischen 0 und 1.',
  'a lower rate needs a higher threshold': 'Eine niedrigere Rate braucht eine höhere Schwelle.',
};

/** Namen, Kennungen und Zeichen. */
const names = {
  'must have no control characters, no white space or invisible characters at either end, and not be . or ..':
    'Steuerzeichen sind nicht erlaubt, am Anfang und am Ende auch keine Leerzeichen oder unsichtbaren Zeichen. Nur . oder .. geht nicht.',
  'must be printable ASCII characters without spaces':
    'Nur druckbare ASCII-Zeichen ohne Leerzeichen sind erlaubt.',
  'must be letters, digits and . _ -, beginning with a letter or digit':
    'Nur Buchstaben, Ziffern und . _ - sind erlaubt, am Anfang ein Buchstabe oder eine Ziffer.',
  'must be 1 to {1} letters, digits and . _ -': '1 bis {1} Buchstaben, Ziffern und . _ - sind erlaubt.',
  'must be 1 to {1} letters, digits and . _ @ + -':
    '1 bis {1} Buchstaben, Ziffern und . _ @ + - sind erlaubt.',
  'must be 1 to {1} letters, digits, dots, underscores and hyphens':
    '1 bis {1} Buchstaben, Ziffern, Punkte, Unterstriche und Bindestriche sind erlaubt.',
  'must be 1 to {1} lower-case letters, digits and hyphens':
    '1 bis {1} Kleinbuchstaben, Ziffern und Bindestriche sind erlaubt.',
  'must be 1 to {1} lower-case letters, digits and . _ -':
    '1 bis {1} Kleinbuchstaben, Ziffern und . _ - sind erlaubt.',
  '{1} must be 1 to 128 letters, digits, dots, underscores and hyphens':
    '{1}: 1 bis 128 Buchstaben, Ziffern, Punkte, Unterstriche und Bindestriche sind erlaubt.',
  'must not consist only of combining marks': 'Kombinierende Zeichen allein sind nicht erlaubt.',
  'must not contain control characters': 'Steuerzeichen sind nicht erlaubt.',
  'must not contain control characters, invisible characters or characters that change the direction of text':
    'Steuerzeichen, unsichtbare Zeichen und Zeichen, die die Schreibrichtung ändern, sind nicht erlaubt.',
  'must not contain the NUL character': 'Das NUL-Zeichen ist nicht erlaubt.',
  'must not mix letters of several alphabets in one word':
    'Ein Wort darf nicht Buchstaben aus mehreren Alphabeten mischen.',
  'must not look like part of this server': 'Der Name darf nicht wie ein Teil dieses Servers aussehen.',
  'names and values must be 1 to 128 characters without commas and semicolons':
    'Namen und Werte müssen 1 bis 128 Zeichen haben, ohne Kommas und Semikolons.',
  'must have the form name,value;name,value': 'Schreiben Sie name,wert;name,wert.',
  'is already in use': 'Das ist bereits vergeben.',
  'is already taken': 'Das ist bereits vergeben.',
  'is already used by another voiceprint of this owner':
    'Dieses Kennzeichen hat schon ein anderer Stimmabdruck dieser Person.',
  'must not name a geography twice': 'Jede Region kann nur einmal genannt werden.',
  'must be a different person from gk_person_id': 'Wählen Sie zwei verschiedene Personen.',
  'names a tenant twice': 'Jeder Mandant kann nur einmal genannt werden.',
  'must be one of {1}': 'Möglich sind: {1}.',
  'must be gender, language, {1}, or {2} with the name of a member':
    'Möglich sind gender, language, {1} oder {2} mit dem Namen eines Datenfelds.',
  '{1} is not a value of {2}': '{1} ist kein möglicher Wert.',
  'no such {1}': 'Das gibt es nicht.',
};

/** Passwörter, Codes und Passkeys. */
const proofs = {
  'must not contain the user name': 'Das Passwort darf den Benutzernamen nicht enthalten.',
  'is too easy to guess; a few unrelated words are better':
    'Das ist zu leicht zu erraten; besser sind einige Wörter ohne Zusammenhang.',
  'must not be the one you were given': 'Das darf nicht das Passwort sein, das man Ihnen gegeben hat.',
  'is not your current password': 'Das ist nicht Ihr aktuelles Passwort.',
  'is incorrect': 'Das ist nicht richtig.',
  'does not match; make sure that the time on your phone is correct':
    'Der Code stimmt nicht. Prüfen Sie, ob die Uhr Ihres Telefons richtig geht.',
  'is not valid; each code works once, so wait for the next one':
    'Der Code ist nicht gültig. Jeder gilt nur einmal: Warten Sie auf den nächsten.',
  'is mandatory: a code from your authenticator app, a recovery code, or the response of a passkey':
    'Nötig ist ein Code Ihrer Authenticator-App, ein Wiederherstellungscode oder ein Passkey.',
  'is not a response from one of your passkeys to this challenge':
    'Keiner Ihrer Passkeys hat dies bestätigt. Bitte versuchen Sie es erneut.',
  'is not a response to this challenge': 'Der Passkey wurde nicht angenommen. Bitte versuchen Sie es erneut.',
  'has expired; start again': 'Das ist abgelaufen. Beginnen Sie bitte von vorn.',
  'was already used, or your second factors have changed since; start again':
    'Das wurde schon verwendet, oder Ihr zweiter Faktor hat sich geändert. Beginnen Sie bitte von vorn.',
  'too many attempts; please wait': 'Zu viele Versuche. Bitte warten Sie einen Moment.',
  'set up a second factor first': 'Richten Sie zuerst einen zweiten Faktor ein.',
  'people with your role need a second factor': 'Personen mit Ihrer Rolle brauchen einen zweiten Faktor.',
  'you have no passkey': 'Sie haben keinen Passkey.',
  'a person can have at most {1} passkeys': 'Eine Person kann höchstens {1} Passkeys haben.',
  'passkeys need a public URL with https:// and a host name, or localhost':
    'Passkeys brauchen eine öffentliche Adresse mit https:// und einem Hostnamen, oder localhost.',
  'your identity provider manages how you sign in': 'Wie Sie sich anmelden, bestimmt Ihr Identitätsanbieter.',
  'change your own password with ChangePassword': 'Ihr eigenes Passwort ändern Sie in Ihrem Profil.',
  'another administrator must do this for you': 'Das muss ein anderer Administrator für Sie tun.',
};

/** Adressen, Schlüssel und Zertifikate. */
const addresses = {
  'must be a URL': 'Das ist keine Adresse (URL).',
  'must begin with https://': 'Die Adresse muss mit https:// beginnen.',
  'must begin with https:// or http://': 'Die Adresse muss mit https:// oder http:// beginnen.',
  'must begin with {1}': 'Die Adresse muss mit {1} beginnen.',
  'must not contain credentials': 'Die Adresse darf keine Zugangsdaten enthalten.',
  'must not be inside a private network': 'Die Adresse darf nicht in einem privaten Netz liegen.',
  'must be a type such as voxgate.v1.Verify, or the beginning of one followed by *':
    'Geben Sie einen Typ wie voxgate.v1.Verify ein, oder den Anfang eines Typs und *.',
  'no event is called {1}': 'Kein Ereignis heißt {1}.',
  'no event is called {1}; the nearest name is {2}': 'Kein Ereignis heißt {1}. Am nächsten kommt {2}.',
  'is not an absolute URI': 'Das ist keine vollständige URI.',
  'has a scheme that is not accepted': 'Dieses Schema wird nicht angenommen.',
  'may use plain http for loopback addresses only':
    'http ohne TLS ist nur für Adressen dieses Rechners erlaubt, etwa 127.0.0.1.',
  'must have two slashes and a host after its scheme':
    'Nach dem Schema müssen zwei Schrägstriche und ein Hostname folgen.',
  'must not contain a wildcard': 'Platzhalter sind nicht erlaubt.',
  'must not contain spaces, backslashes or control characters':
    'Leerzeichen, umgekehrte Schrägstriche und Steuerzeichen sind nicht erlaubt.',
  'must not have a fragment': 'Ein Fragment (nach #) ist nicht erlaubt.',
  'must not have {1} in its query: the response adds it':
    'Die Adresse darf {1} nicht selbst enthalten: Die Antwort fügt es hinzu.',
  'a service account cannot have a redirect URI or be public':
    'Ein Dienstkonto kann keine Redirect-URI haben und nicht öffentlich sein.',
  'is not JSON': 'Das ist kein JSON.',
  'is not valid JSON': 'Das ist kein gültiges JSON.',
  'must be a JSON object': 'Das muss ein JSON-Objekt sein.',
  'is not a JWK set (an object with a list named keys)':
    'Das ist kein JWK Set (ein Objekt mit einer Liste namens keys).',
  'must contain at least one key': 'Mindestens ein Schlüssel ist nötig.',
  'contains private key material; treat that key as leaked':
    'Das enthält einen privaten Schlüssel; behandeln Sie ihn als kompromittiert.',
  'names an algorithm that is not accepted': 'Dieser Algorithmus wird nicht angenommen.',
  'is shorter than {1} bits': 'Der Schlüssel ist kürzer als {1} Bit.',
  'is not a public key in JWK format': 'Das ist kein öffentlicher Schlüssel im JWK-Format.',
  'is not a certificate in PEM format': 'Das ist kein Zertifikat im PEM-Format.',
  'must be certificates, or one of subject DN, DNS name and URI':
    'Geben Sie Zertifikate an, oder genau eines von Inhaber, DNS-Name und URI.',
  'must be ES256 or EdDSA': 'Möglich sind ES256 und EdDSA.',
  'is not a runtime scope': 'Das ist kein Scope für Anwendungen.',
  'is not part of this kind of URN': 'Dieser Teil gehört nicht zu einer solchen URN.',
  'is not a URN of this platform': 'Das ist keine URN dieser Plattform.',
  'language has the form eng-USA: three lower-case letters, a hyphen, three upper-case letters':
    'Die Sprache hat die Form eng-USA: drei Kleinbuchstaben, ein Bindestrich, drei Großbuchstaben.',
};

/** Was gerade nicht geht, und worauf verwiesen wird. */
const things = {
  'is a tenant in which your role does not allow this': 'Ihre Rolle in diesem Mandanten erlaubt das nicht.',
  'is not granted to this client': 'Auf diesen Mandanten besteht kein Zugriff.',
  'belongs to another tenant': 'Das gehört zu einem anderen Mandanten.',
  'cannot change while the tenant is PENDING_DELETION':
    'Das lässt sich nicht ändern, solange der Mandant zum Löschen vorgemerkt ist.',
  'must be INITIALIZED or ACTIVE': 'Möglich sind INITIALIZED und ACTIVE.',
  'names a field that cannot be changed': 'Das lässt sich nicht ändern.',
  'names no field of {1}: {2}': 'Dieses Feld gibt es nicht: {2}.',
  'does not belong to this engagement': 'Das gehört nicht zu diesem Engagement.',
  'names a session that is over': 'Diese Sitzung ist bereits beendet.',
  'names an engagement that is over': 'Dieses Engagement ist bereits beendet.',
  'has no ACTIVE revision in this tenant':
    'Diese Konfiguration hat in diesem Mandanten keine aktive Revision.',
  'has agent groups: delete them or move them first':
    'Dazu gehören noch Agentengruppen: Löschen oder verschieben Sie diese zuerst.',
  'has no audio yet': 'Die Aufnahme ist nicht auf dem Server angekommen.',
  'is required: this fraudster has several voiceprints':
    'Geben Sie das Kennzeichen an: Dieser Betrüger hat mehrere Stimmabdrücke.',
  'is required: this owner has several voiceprints':
    'Geben Sie das Kennzeichen an: Diese Person hat mehrere Stimmabdrücke.',
  'is the voiceprint of a {1}, not of a {2}': 'Dieser Stimmabdruck gehört zu einer anderen Art von Eintrag.',
  'names a voiceprint of another speaker model':
    'Dieser Stimmabdruck stammt von einem anderen Sprechermodell.',
  'names a voiceprint that is not trained': 'Dieser Stimmabdruck ist noch nicht trainiert.',
  'is only allowed with verdict FRAUD': 'Das geht nur mit dem Ausgang „Betrug“.',
  'is only for a new fraudster; gk_fraudster_id names an existing one':
    'Einen Namen braucht nur ein neuer Betrüger; hier ist schon einer gewählt.',
  'these recordings do not all have the same voice: nothing was changed':
    'Diese Aufnahmen stammen nicht alle von derselben Stimme. Es wurde nichts geändert.',
  'there is too little usable speech in these recordings{1}: nothing was changed':
    'In diesen Aufnahmen ist zu wenig nutzbare Sprache. Es wurde nichts geändert.',
  "the recording '{1}' cannot be used ({2}): nothing was changed":
    'Die Aufnahme {1} kann nicht verwendet werden ({2}). Es wurde nichts geändert.',
  'names a channel that the media does not have': 'Diesen Kanal hat die Aufnahme nicht.',
  'must be from 0 (all channels) to {1}': 'Der Kanal muss zwischen 0 (alle Kanäle) und {1} liegen.',
  'is not supported: use pcm, alaw, ulaw or mp3':
    'Das wird nicht unterstützt: möglich sind pcm, alaw, ulaw und mp3.',
  'media can only be downloaded as PCM in WAV: leave container and format out':
    'Aufnahmen können nur als PCM in WAV heruntergeladen werden.',
  'is for fixed phrases, which this service does not support: leave it out':
    'Das ist für feste Sätze gedacht und wird hier nicht angeboten.',
  'is not UTF-8 text': 'Das ist kein Text in UTF-8.',
  'is not a section; valid sections are {1}': 'Diesen Abschnitt gibt es nicht; möglich sind {1}.',
  'is not a parameter of {1}; it has {2}': 'Diesen Parameter hat {1} nicht; möglich sind {2}.',
  'must be an object of parameters': 'Das muss ein Objekt mit Parametern sein.',
  'must contain scoring or thresholds': 'Das muss scoring oder thresholds enthalten.',
  'must be {1} numbers': 'Das müssen {1} Zahlen sein.',
  'must be 1 to 50 entries { far, llr }': 'Das müssen 1 bis 50 Einträge { far, llr } sein.',
  'only VOICEPRINTS can be calibrated by a tenant': 'Ein Mandant kann nur VOICEPRINTS kalibrieren.',
  'was made for {1}: scores of {2} have a different scale':
    'Das wurde für {1} gemacht: Die Werte von {2} haben einen anderen Maßstab.',
  'is the name of the calibration that comes with the model':
    'So heißt die Kalibrierung, die mit dem Modell mitgeliefert wird.',
  'is not a token of this list': 'Diese Liste hat sich geändert. Laden Sie die Seite neu.',
  'is not a page token of this log': 'Diese Liste hat sich geändert. Laden Sie die Seite neu.',
  'no longer belongs to this list': 'Diese Liste hat sich geändert. Laden Sie die Seite neu.',
  'is not from a previous response': 'Diese Liste hat sich geändert. Laden Sie die Seite neu.',
  'is not a cursor of this log': 'Diese Liste hat sich geändert. Laden Sie die Seite neu.',
  'is not a cursor of this feed': 'Diese Liste hat sich geändert. Laden Sie die Seite neu.',
  'is past the newest event: it comes from another server, or from before a restore':
    'Diese Liste hat sich geändert. Laden Sie die Seite neu.',
  'is not an iterator of an earlier export': 'Der Export lässt sich nicht fortsetzen. Beginnen Sie ihn neu.',
  'is not the name of an operation': 'Das ist nicht der Name einer Operation.',
  'must be by time or identifier: only sessions have another order':
    'Sortieren lässt sich nur nach Zeit oder Kennung.',
  'must be by time, number, person or decision: sessions have no order by identifier':
    'Sitzungen lassen sich nur nach Zeit, Nummer, Person oder Entscheidung sortieren.',
  'must be by time: this tenant has too many sessions for another order':
    'Dieser Mandant hat so viele Sitzungen, dass sie sich nur nach der Zeit sortieren lassen.',
};

export const text: typeof en = {
  serverSays: {
    ...sizes,
    ...meanwhile,
    ...numbers,
    ...names,
    ...proofs,
    ...addresses,
    ...things,
    ...manifests,
    ...wholeRefusals,
  },
  serverNumber: germanNumbers,
};
