// German: the pages this server draws itself. The English is the key: what is not here does not compile.

export const german = {
  // Sign in
  'Sign in': 'Anmelden',
  'to continue to {application}': 'weiter zu {application}',
  'Sign in with {provider}': 'Anmelden mit {provider}',
  'User name': 'Benutzername',
  Password: 'Passwort',
  'Use a passkey': 'Passkey verwenden',
  'The passkey was not used. Please try again.':
    'Der Passkey wurde nicht verwendet. Bitte versuchen Sie es erneut.',
  'Incorrect user name or password.': 'Benutzername oder Passwort ist falsch.',
  'Too many attempts. Please wait a moment and try again.':
    'Zu viele Versuche. Bitte warten Sie einen Moment und versuchen Sie es erneut.',
  'This form has expired. Please try again.':
    'Dieses Formular ist abgelaufen. Bitte versuchen Sie es erneut.',
  'This sign-in has expired. Please try again.':
    'Diese Anmeldung ist abgelaufen. Bitte versuchen Sie es erneut.',
  'Please sign in with your identity provider.': 'Bitte melden Sie sich bei Ihrem Identitätsanbieter an.',
  'This passkey was not accepted. Please try again.':
    'Dieser Passkey wurde nicht angenommen. Bitte versuchen Sie es erneut.',
  'This code is not valid. Please wait for the next one and try again.':
    'Dieser Code gilt nicht. Bitte warten Sie auf den nächsten und versuchen Sie es erneut.',
  // One more step
  'One more step': 'Noch ein Schritt',
  'Enter the code that your authenticator app shows. Without it, use one of your recovery codes.':
    'Geben Sie den Code ein, den Ihre Authenticator-App anzeigt. Ohne die App geht es mit einem Ihrer Wiederherstellungscodes.',
  'Use your passkey. Without it, enter one of your recovery codes.':
    'Verwenden Sie Ihren Passkey. Ohne ihn geht es mit einem Ihrer Wiederherstellungscodes.',
  Code: 'Code',
  Continue: 'Weiter',
  'Choose a new password': 'Neues Passwort wählen',
  'Choose a password of your own.': 'Wählen Sie ein eigenes Passwort.',
  'Set the password and continue': 'Passwort festlegen und weiter',
  'Choose a password': 'Passwort wählen',
  'Welcome. Your user name is {user}.': 'Willkommen. Ihr Benutzername ist {user}.',
  'This link is no longer valid': 'Dieser Link gilt nicht mehr',
  'It has been used or replaced, or is too old. Ask an administrator for a new one.':
    'Er wurde verwendet oder ersetzt oder ist zu alt. Bitten Sie einen Administrator um einen neuen.',
  'New password': 'Neues Passwort',
  'New password again': 'Neues Passwort wiederholen',
  'At least {min} characters.': 'Mindestens {min} Zeichen.',
  'The two passwords are different.': 'Die beiden Passwörter sind verschieden.',
  // What is wrong with what was sent: the fault has its words in src/words/server.
  'The new password {fault}.': 'Neues Passwort: {fault}',
  'The code {fault}.': '{fault}',
  'This page {fault}.': '{fault}',
  'This {fault}.': '{fault}',
  '{fault}.': '{fault}',
  'Set up a second factor': 'Zweiten Faktor einrichten',
  'Your account needs a second factor. Scan this with an authenticator app and enter the code that it shows.':
    'Ihr Konto braucht einen zweiten Faktor. Scannen Sie dies mit einer Authenticator-App und geben Sie den Code ein, den sie anzeigt.',
  'Or type this key into the app: {key}': 'Oder geben Sie diesen Schlüssel in die App ein: {key}',
  'Recovery codes': 'Wiederherstellungscodes',
  'Your authenticator app is set up. Keep these recovery codes in a safe place: each gets you in once if you lose the app. They are not shown again.':
    'Ihre Authenticator-App ist eingerichtet. Bewahren Sie diese Wiederherstellungscodes sicher auf: Mit jedem kommen Sie einmal hinein, wenn Sie die App verlieren. Sie werden nicht noch einmal angezeigt.',
  'I have stored them': 'Ich habe sie gespeichert',
  // Consent
  'Allow access?': 'Zugriff erlauben?',
  '{application} asks who you are. It learns your user name, {user}, and your display name.':
    '{application} fragt, wer Sie sind. Die Anwendung erfährt Ihren Benutzernamen {user} und Ihren Anzeigenamen.',
  'It cannot do anything in your name.': 'In Ihrem Namen tun kann sie nichts.',
  '{application} asks to use the management interface in your name, {user}.':
    '{application} möchte die Verwaltungsschnittstelle in Ihrem Namen nutzen ({user}).',
  'You registered it yourself; it may do whatever your account may.':
    'Sie haben die Anwendung selbst registriert; sie darf alles, was Ihr Konto darf.',
  'It was registered by {owner} and may do only what both that account and yours may. It cannot change how you sign in.':
    'Sie wurde von {owner} registriert und darf nur, was sowohl dieses Konto als auch Ihres darf. Wie Sie sich anmelden, kann sie nicht ändern.',
  'You will return to {host}. Allow this only if you started it yourself.':
    'Sie kehren zu {host} zurück. Erlauben Sie dies nur, wenn Sie es selbst begonnen haben.',
  Allow: 'Erlauben',
  Deny: 'Ablehnen',
  // Sign out
  'Sign out?': 'Abmelden?',
  'You will be signed out of this server in this browser.':
    'Sie werden in diesem Browser von diesem Server abgemeldet.',
  'Sign out': 'Abmelden',
  'Signed out': 'Abgemeldet',
  'You have signed out.': 'Sie haben sich abgemeldet.',
  'Not signed out': 'Nicht abgemeldet',
  // First run
  'Set up Voxgate': 'Voxgate einrichten',
  'Welcome. Choose a password for the administrator of this server; its user name is {user}.':
    'Willkommen. Wählen Sie ein Passwort für den Administrator dieses Servers; der Benutzername ist {user}.',
  'Setup token': 'Einrichtungs-Token',
  'This setup token is no longer valid: the server prints a new link each time it starts. Use the newest one.':
    'Dieses Einrichtungs-Token gilt nicht mehr: Jeder Start des Servers gibt einen neuen Link aus. Verwenden Sie den neuesten.',
  'The end of the link that was printed at the first start. Lost? {command} prints a new one.':
    'Das Ende des Links, der beim ersten Start ausgegeben wurde. Verloren? {command} gibt einen neuen aus.',
  'Already set up': 'Schon eingerichtet',
  'The first password of this server can no longer be chosen here.':
    'Das erste Passwort dieses Servers kann hier nicht mehr gewählt werden.',
  'Page not found': 'Seite nicht gefunden',
  'There is nothing at this address.': 'Unter dieser Adresse gibt es nichts.',
  'To the console': 'Zur Konsole',
  'Set the password and begin': 'Passwort festlegen und beginnen',
  // What cannot go on
  'Not signed in': 'Nicht angemeldet',
  'The application that sent you here cannot go on: {error}.':
    'Die Anwendung, von der Sie kommen, kann nicht weitermachen: {error}.',
  'Go back to {host}': 'Zurück zu {host}',
  'This request cannot be served': 'Diese Anfrage kann nicht bearbeitet werden',
  'Not available at the moment': 'Zurzeit nicht verfügbar',
  'This server cannot answer at the moment. Please try again shortly.':
    'Dieser Server kann zurzeit nicht antworten. Bitte versuchen Sie es gleich noch einmal.',
  'Open the console there': 'Konsole dort öffnen',
  'This form has expired. Please go back to the application and start again.':
    'Dieses Formular ist abgelaufen. Bitte gehen Sie zurück zur Anwendung und beginnen Sie von vorn.',
  'This sign-in has expired. Please go back to the application and start again.':
    'Diese Anmeldung ist abgelaufen. Bitte gehen Sie zurück zur Anwendung und beginnen Sie von vorn.',
  'This request to sign in has expired or was opened before. Please go back to the application and start again.':
    'Diese Anmeldeanfrage ist abgelaufen oder wurde schon geöffnet. Bitte gehen Sie zurück zur Anwendung und beginnen Sie von vorn.',
  'Your identity provider cannot be reached at the moment. Please try again later.':
    'Ihr Identitätsanbieter ist zurzeit nicht erreichbar. Bitte versuchen Sie es später erneut.',
  "The application's request is too long.": 'Die Anfrage der Anwendung ist zu lang.',
  'Your identity provider did not confirm the sign-in. Please try again.':
    'Ihr Identitätsanbieter hat die Anmeldung nicht bestätigt. Bitte versuchen Sie es erneut.',
  'Your account is not in a group that may use this server. Please ask your administrator.':
    'Ihr Konto ist in keiner Gruppe, die diesen Server nutzen darf. Bitte fragen Sie Ihren Administrator.',
  'Your groups would leave this server without an administrator.':
    'Ihre Gruppen würden diesen Server ohne Administrator lassen.',
  'Your account has been disabled on this server. Please ask your administrator.':
    'Ihr Konto ist auf diesem Server gesperrt. Bitte fragen Sie Ihren Administrator.',
  'There is already another account with your user name. Please ask your administrator.':
    'Es gibt bereits ein anderes Konto mit Ihrem Benutzernamen. Bitte fragen Sie Ihren Administrator.',
  'You have no account on this server yet. Please ask your administrator.':
    'Sie haben auf diesem Server noch kein Konto. Bitte fragen Sie Ihren Administrator.',
  'Your identity provider sent no user name that this server can use.':
    'Ihr Identitätsanbieter hat keinen Benutzernamen geschickt, den dieser Server verwenden kann.',
} as const;
