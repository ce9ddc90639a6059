// Deutsch: was der Server an Listen für Stapel und an ganzen Vorgängen ablehnt.

/** Listen für Stapel und Vergleichslisten. */
export const manifests = {
  'line {1}: {2}': 'Zeile {1}: {2}',
  'speaker_id {1}': 'speaker_id: {1}',
  'fraudster_id {1}': 'fraudster_id: {1}',
  'has no lines': 'Die Liste ist leer.',
  'has more than {1} lines': 'Die Liste hat mehr als {1} Zeilen.',
  'mentions consent, so this is a list of customers; fraudsters are registered from a list without it':
    'Hier geht es um Einwilligung, dies ist also eine Liste von Kunden; Betrüger werden aus einer Liste ohne diese Spalte erfasst.',
  'names no recording': 'Es ist keine Aufnahme genannt.',
  'names more than {1} recordings': 'Es sind mehr als {1} Aufnahmen genannt.',
  'names a recording with more than {1} characters': 'Der Name einer Aufnahme hat mehr als {1} Zeichen.',
  'has a recording without media, file, folder or s3_uri':
    'Eine Aufnahme hat weder media noch file, folder oder s3_uri.',
  'has a recording that has not been uploaded yet, which only a dry run accepts':
    'Eine Aufnahme ist noch nicht hochgeladen; das erlaubt nur ein Probelauf.',
  'names no person; without attack checks or a watchlist there is nothing to check':
    'Es ist keine Person genannt; ohne Angriffsprüfung und Beobachtungsliste gibt es nichts zu prüfen.',
  'says nothing about consent; add a consent column, or set all_have_consented':
    'Es fehlt eine Angabe zur Einwilligung. Fügen Sie eine Spalte consent hinzu, oder bestätigen Sie, dass alle eingewilligt haben.',
  'file_name must have at most {1} characters': 'file_name darf höchstens {1} Zeichen haben.',
  'channel must be from 1 to {1}': 'Der Kanal muss zwischen 1 und {1} liegen.',
  'is about the same one as {1} other lines, with more than {2} recordings in total':
    'Um dieselbe Person geht es in {1} weiteren Zeilen, insgesamt mit mehr als {2} Aufnahmen.',
  'has an object that states consent twice': 'In einem Objekt steht consent zweimal.',
  'line {1} has the key {2} twice': 'In Zeile {1} steht der Schlüssel {2} zweimal.',
  'line {1} is not a JSON object': 'Zeile {1} ist kein JSON-Objekt.',
  'has the key {1} twice': 'Der Schlüssel {1} steht zweimal da.',
  'has the column {1} twice': 'Die Spalte {1} steht zweimal da.',
  'has a quote that is not closed': 'Ein Anführungszeichen ist nicht geschlossen.',
  'must be a list of objects': 'Das muss eine Liste von Objekten sein.',
  'must contain objects': 'Das muss Objekte enthalten.',
  '{1} must be a list of objects': '{1} muss eine Liste von Objekten sein.',
  '{1} is for enrolling speakers, which this batch does not do':
    '{1} ist zum Registrieren von Personen da, was dieser Stapel nicht tut.',
  '{1} is for registering fraudsters, which this batch does not do':
    '{1} ist zum Erfassen von Betrügern da, was dieser Stapel nicht tut.',
  'must begin with the names of its columns, separated by commas':
    'Die erste Zeile muss die Namen der Spalten enthalten, durch Kommas getrennt.',
  'must begin with the names of its columns, such as speaker_id,consent,file':
    'Die erste Zeile muss die Namen der Spalten enthalten, etwa speaker_id,consent,file.',
  'begins with neither target nor nontarget': 'Die Zeile beginnt weder mit target noch mit nontarget.',
  'needs a score, or two IDs': 'Nötig sind ein Wert oder zwei Kennungen.',
  'needs a number as its score': 'Der Wert muss eine Zahl sein.',
};

/** Was als Ganzes abgelehnt wird. */
export const wholeRefusals = {
  'only an administrator may do this': 'Das dürfen nur Administratoren.',
  'only an administrator may change tenants': 'Mandanten ändern dürfen nur Administratoren.',
  'only an administrator may grant tenants': 'Den Zugriff auf Mandanten erteilen nur Administratoren.',
  'only an administrator may name another owner':
    'Einen anderen Eigentümer nennen dürfen nur Administratoren.',
  'sign out and in again first: your sign-in is older than {1} minutes':
    'Melden Sie sich erst ab und wieder an: Ihre Anmeldung ist älter als {1} Minuten.',
  'ask an administrator to create the application and to name you its owner':
    'Bitten Sie einen Administrator, die Anwendung anzulegen und Sie als Eigentümer einzutragen.',
  'no client of your applications has {1}: only an administrator may give it to one':
    'Diesen Scope hat kein Client Ihrer Anwendungen, darum vergibt ihn nur ein Administrator: {1}.',
  'a person can own at most {1} applications': 'Eine Person kann höchstens {1} Anwendungen besitzen.',
  'only an administrator or an auditor may see this': 'Das dürfen nur Administratoren und Prüfer sehen.',
  'only an owner of the application may do this': 'Das dürfen nur Eigentümer der Anwendung.',
  'only an owner of the tenant can allow stored calls to be used ({1})':
    'Gespeicherte Anrufe dürfen nur Eigentümer des Mandanten freigeben ({1}).',
  'an auditor may not change anything': 'Prüfer dürfen nichts ändern.',
  'your role does not allow this operation in any tenant': 'Ihre Rolle erlaubt das in keinem Mandanten.',
  'your role in this application does not allow this': 'Ihre Rolle in dieser Anwendung erlaubt das nicht.',
  "other people's applications may not change your account":
    'Anwendungen anderer dürfen Ihr Konto nicht ändern.',
  'this requires a user account': 'Dafür ist ein Benutzerkonto nötig.',
  'this requires the operator role': 'Dafür ist die Rolle Operator nötig.',
  'the token must have one of these scopes: {1}': 'Das Token braucht einen dieser Scopes: {1}.',
  'the token belongs to another application': 'Das Token gehört zu einer anderen Anwendung.',
  'the last administrator cannot be removed': 'Der letzte Administrator kann nicht entfernt werden.',
  'the last owner cannot be removed': 'Der letzte Eigentümer kann nicht entfernt werden.',
  'the user is the only owner of application {1}':
    'Diese Person ist die einzige Eigentümerin der Anwendung {1}.',
  'the last client of an application ID cannot be deleted':
    'Der letzte Client einer Anwendungs-ID kann nicht gelöscht werden.',
  'the last environment can only be deleted with its application':
    'Die letzte Umgebung kann nur zusammen mit der Anwendung gelöscht werden.',
  'the application already has an environment with this name':
    'Die Anwendung hat schon eine Umgebung mit diesem Namen.',
  'an application can have at most {1} environments, each with a different name':
    'Eine Anwendung kann höchstens {1} Umgebungen haben, jede mit einem anderen Namen.',
  'there is already a client with this name in this geography':
    'In dieser Region gibt es schon einen Client mit diesem Namen.',
  'an application ID can have at most {1} clients': 'Eine Anwendungs-ID kann höchstens {1} Clients haben.',
  'this client does not use a secret': 'Dieser Client verwendet kein Geheimnis.',
  'only clients of applications can have a certificate':
    'Ein Zertifikat können nur Clients von Anwendungen haben.',
  'the scope of a tooling client is fixed':
    'Die Scopes von Zugangsdaten für Werkzeuge lassen sich nicht ändern.',
  'a profile can have at most {1} credentials': 'Ein Profil kann höchstens {1} Zugangsdaten haben.',
  'a tenant can have at most {1} webhooks': 'Ein Mandant kann höchstens {1} Webhooks haben.',
  '{1} events are already waiting; replay again once they have been delivered':
    'Es warten schon {1} Ereignisse. Senden Sie erneut, wenn sie zugestellt sind.',
  'a tenant can have at most {1} unfinished batches':
    'Ein Mandant kann höchstens {1} Stapel haben, die noch nicht fertig sind.',
  'the line has finished in the meantime': 'Die Zeile ist inzwischen fertig.',
  'factory calibration models cannot be changed':
    'Mitgelieferte Kalibrierungen können nicht geändert werden.',
  'only a validated revision can be activated: validate it first':
    'Nur eine geprüfte Revision kann aktiviert werden: Prüfen Sie sie zuerst.',
  'the ACTIVE revision cannot be deleted: activate another one first':
    'Die aktive Revision kann nicht gelöscht werden: Aktivieren Sie zuerst eine andere.',
  'the revision is not ACTIVE': 'Die Revision ist nicht aktiv.',
  'no detector for synthetic speech is installed':
    'Es ist kein Detektor für synthetische Sprache installiert.',
  'too few calls from too few callers: there is no line to save':
    'Es sind zu wenige Anrufe von zu wenigen Anrufern: Es gibt keine Grenze, die gespeichert werden könnte.',
  'the config set SCOPE of this tenant does not allow stored calls to set thresholds (calibration.useCallers)':
    'Dieser Mandant erlaubt nicht, dass aus gespeicherten Anrufen Schwellen abgeleitet werden.',
  'the config set SCOPE of this tenant does not say that there is a legal basis for searching stored calls (voiceSearch.hasLegalBasis)':
    'Für diesen Mandanten ist keine Rechtsgrundlage angegeben, gespeicherte Anrufe zu durchsuchen.',
  'this client is locked: unlocking it gives it a new secret':
    'Dieser Client ist gesperrt: Beim Entsperren bekommt er ein neues Geheimnis.',
  'an evidence hold keeps this recording: lift that hold':
    'Eine Beweissperre hält diese Aufnahme fest. Heben Sie erst die Sperre auf.',
  'the voiceprint is locked': 'Der Stimmabdruck ist gesperrt.',
  'this person has opted out of voice biometrics: opt the person in first':
    'Diese Person hat widersprochen. Tragen Sie zuerst ihre Einwilligung ein.',
  "this voice is already on the list as '{1}': nothing was changed":
    'Diese Stimme steht bereits als {1} auf der Liste. Es wurde nichts geändert.',
  'the media is an enrollment segment: remove it from the voiceprint first':
    'Die Aufnahme gehört zu einem Stimmabdruck: Entfernen Sie sie dort zuerst.',
  'the media is on legal hold: clear the hold first':
    'Die Aufnahme steht unter Löschsperre: Heben Sie diese zuerst auf.',
  'the media is still being uploaded': 'Die Aufnahme wird noch hochgeladen.',
  'the media cannot be played: {1}': 'Die Aufnahme kann nicht abgespielt werden: {1}',
  'this URL has already received different audio: request a new one to upload again':
    'Unter dieser Adresse liegt schon eine andere Aufnahme. Laden Sie die Aufnahme erneut hoch.',
  'the content has already been written and cannot be replaced':
    'Das wurde schon gespeichert und kann nicht ersetzt werden.',
  'this URL has already received a different document: create a new revision':
    'Unter dieser Adresse liegt schon etwas anderes: Legen Sie eine neue Revision an.',
  'this URL has expired: request a new one': 'Diese Adresse ist abgelaufen. Laden Sie die Seite neu.',
  'this URL is not valid: request a new one': 'Diese Adresse ist ungültig. Laden Sie die Seite neu.',
  'text must not contain the NUL character': 'Das NUL-Zeichen ist nicht erlaubt.',
  'idempotency-key: must be 1 to {1} printable ASCII characters without spaces':
    'Der Idempotency-Key muss 1 bis {1} druckbare ASCII-Zeichen ohne Leerzeichen haben.',
  'idempotency-key: the first call with this key is still running; repeat it to get its answer':
    'Derselbe Aufruf läuft noch. Versuchen Sie es gleich erneut.',
  'idempotency-key: this key was used for another request; use a new key for every new request':
    'Dieser Idempotency-Key wurde schon für eine andere Anfrage verwendet.',
  'not offered: {1}': 'Das wird nicht angeboten.',
};
