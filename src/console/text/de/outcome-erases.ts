// Deutsch: was ein anderer Ausgang löscht, wo der Rest einer gelöschten Person nur als Beweis blieb; und was er stehen lässt.
import type { outcomeErases as en } from '../en/outcome-erases.js';
import { many } from '../tools.js';

const GOES =
  'die Aufnahmen und Werte dieser Person sofort gelöscht, und mit ihnen Telefonnummer, Fallnummer, Notiz und Referenzen';
const WITH_OTHERS =
  'Wenn im selben Engagement auch jemand anderes angegeben oder erkannt wurde, bleiben Fallnummer und Notiz, ebenso Telefonnummer und Referenzen der Sitzungen, in denen die gelöschte Person nicht angegeben oder jemand anderes erkannt wurde.';
const STAYS_IF_GENUINE =
  'Aufnahmen unter Löschsperre und solche, in denen eine andere Person erkannt wurde, bleiben; Aufnahmen, aus denen der Stimmabdruck eines Betrügers entstand, bleiben, bis dieser Stimmabdruck gelöscht wird. Das kann nicht rückgängig gemacht werden.';
const STAYS_OTHERWISE =
  'Aufnahmen unter Löschsperre bleiben, ebenso alles zu einem Anruf, in dem eine andere Person oder ein bekannter Betrüger erkannt wurde oder aus dem der Stimmabdruck eines Betrügers entstand. Das kann nicht rückgängig gemacht werden.';
const OF_ONE = `Die personenbezogenen Daten einer Person in diesem Engagement wurden gelöscht, der Rest bleibt nur als Beweis für Betrug. Mit diesem Ausgang werden ${GOES}. ${WITH_OTHERS}`;
const OF_MANY = `In den Engagements dieser Sitzungen wurden die personenbezogenen Daten einer Person gelöscht, der Rest bleibt nur als Beweis für Betrug: {sessions}. Mit diesem Ausgang werden ${GOES}. ${WITH_OTHERS}`;

const ERASED = 'Die personenbezogenen Daten einer Person in diesem Engagement wurden gelöscht.';
const UNTIL_PRINT_GOES =
  'Aufnahmen, aus denen der Stimmabdruck eines Betrügers entstand, bleiben, bis dieser Stimmabdruck gelöscht wird.';

export const outcomeErases: typeof en = {
  kept: {
    asFraud: `Als Beweis für Betrug aufbewahrt. ${ERASED}`,
    withFraudster: {
      recognized: `Die Aufnahmen dieser Sitzung bleiben, weil darin ein bekannter Betrüger erkannt wurde. ${ERASED}`,
      made: `Die Aufnahmen dieser Sitzung bleiben, weil daraus der Stimmabdruck eines Betrügers entstand. ${ERASED}`,
      both: `Die Aufnahmen dieser Sitzung bleiben, weil darin ein bekannter Betrüger erkannt wurde und der Stimmabdruck eines Betrügers daraus entstand. ${ERASED}`,
      unknown: `Die Aufnahmen dieser Sitzung bleiben, weil darin ein bekannter Betrüger erkannt wurde oder der Stimmabdruck eines Betrügers daraus entstand. ${ERASED}`,
    },
    withFraudsterElsewhere: {
      recognized: `Aufnahmen dieses Engagements bleiben in Sitzung {sessions}, weil dort ein bekannter Betrüger erkannt wurde. ${ERASED}`,
      made: `Aufnahmen dieses Engagements bleiben in Sitzung {sessions}, weil daraus der Stimmabdruck eines Betrügers entstand. ${ERASED}`,
      both: `Aufnahmen dieses Engagements bleiben in Sitzung {sessions}, weil dort ein bekannter Betrüger erkannt wurde und der Stimmabdruck eines Betrügers daraus entstand. ${ERASED}`,
      unknown: `Aufnahmen dieses Engagements bleiben in Sitzung {sessions}, weil dort ein bekannter Betrüger erkannt wurde oder der Stimmabdruck eines Betrügers daraus entstand. ${ERASED}`,
    },
    untilGenuine: `Die Aufnahmen werden gelöscht, wenn für dieses Engagement der Ausgang Echt festgehalten wird. ${UNTIL_PRINT_GOES}`,
    untilAgain: `Der Ausgang Echt wurde festgehalten, bevor der Betrüger erkannt oder registriert wurde, und hat sie deshalb nicht gelöscht. Wenn es ein Fehlalarm war, halten Sie Echt noch einmal fest. ${UNTIL_PRINT_GOES}`,
    onHold: (count) =>
      `${many(count, '# Aufnahme bleibt', '# Aufnahmen bleiben')} wegen einer Löschsperre. Die personenbezogenen Daten der Person wurden gelöscht.`,
  },
  word: 'löschen',
  erases: { genuine: `${OF_ONE} ${STAYS_IF_GENUINE}`, otherwise: `${OF_ONE} ${STAYS_OTHERWISE}` },
  erasesMany: { genuine: `${OF_MANY} ${STAYS_IF_GENUINE}`, otherwise: `${OF_MANY} ${STAYS_OTHERWISE}` },
  looking: 'Es wird nachgesehen, was dieser Ausgang löschen würde',
  recognized: {
    inOne:
      'In diesem Engagement wurde ein bekannter Betrüger erkannt. Mit diesem Ausgang gilt das als Fehlalarm: Beweise für Betrug in diesen Aufnahmen bleiben dann nicht mehr erhalten, wenn die Daten einer Person darin gelöscht werden.',
    inSeveral:
      'In diesen Engagements wurden bekannte Betrüger erkannt. Mit diesem Ausgang gilt das als Fehlalarm: Beweise für Betrug in diesen Aufnahmen bleiben dann nicht mehr erhalten, wenn die Daten einer Person darin gelöscht werden.',
    who: '{fraudster} wurde in Sitzung {sessions} erkannt.',
    somebody: 'Ein bekannter Betrüger wurde in Sitzung {sessions} erkannt.',
  },
  listed: {
    stays:
      'Die Stimme aus diesem Engagement ist als die eines Betrügers registriert. Dieser Ausgang ändert daran nichts:',
    staysMany:
      'Stimmen aus diesen Engagements sind als die von Betrügern registriert. Dieser Ausgang ändert daran nichts:',
    is: 'Als echt beurteilt, aber die Stimme aus diesem Engagement ist als die eines Betrügers registriert:',
    keptHere: 'Aufnahmen dieser Sitzung bleiben dafür erhalten.',
    keptElsewhere: 'Aufnahmen bleiben dafür in Sitzung {sessions} erhalten.',
    on: '{fraudster} steht auf der Beobachtungsliste {watchlists} und löst Alarme aus.',
    onUntrained:
      '{fraudster} steht auf der Beobachtungsliste {watchlists}, hat aber keinen trainierten Stimmabdruck und löst keine Alarme aus.',
    onNone: '{fraudster} ist als Betrüger registriert, steht aber auf keiner Beobachtungsliste.',
    alone: 'Wenn das ein Irrtum war, löschen Sie den Betrüger.',
    known:
      'Dieser Betrüger ist auch aus anderen Anrufen bekannt: Wenn das hier ein Irrtum ist, entfernen Sie die Aufnahmen dieses Anrufs aus dem Stimmabdruck.',
    remove: 'Von der Beobachtungsliste nehmen',
    removeOf: (fraudster) => `Von der Beobachtungsliste nehmen: ${fraudster}`,
    removeText: (fraudster, lists) =>
      `${fraudster} wird von ${lists} genommen und löst dort keine Alarme mehr aus. Der Stimmabdruck bleibt, bis der Betrüger gelöscht wird, und ${fraudster} kann wieder auf eine Beobachtungsliste gesetzt werden.`,
    removed: (fraudster) => `${fraudster} steht auf keiner Beobachtungsliste mehr.`,
  },
};
