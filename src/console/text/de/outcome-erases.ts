// Deutsch: was ein anderer Ausgang löscht, wo der Rest einer gelöschten Person nur als Beweis blieb; und was er stehen lässt.
import type { outcomeErases as en } from '../en/outcome-erases.js';
import { many } from '../tools.js';

const GOES =
  'Dieser Ausgang löscht sie sofort: Aufnahmen, Werte, Nummern, Referenzen und was allein über diese Person notiert wurde.';
const STAYS_IF_GENUINE =
  'Was unter Löschsperre steht, jemand anderen betrifft oder im Stimmabdruck eines Betrügers ist, bleibt. Das kann nicht rückgängig gemacht werden.';
const STAYS_OTHERWISE =
  'Was unter Löschsperre steht, jemand anderen oder einen bekannten Betrüger betrifft, bleibt. Das kann nicht rückgängig gemacht werden.';
const OF_ONE = `Die Daten einer Person in diesem Engagement wurden gelöscht; der Rest bleibt als Beweise für Betrug. ${GOES}`;
const OF_MANY = `Die Daten einer Person in diesen Engagements wurden gelöscht; der Rest bleibt als Beweise für Betrug: {sessions}. ${GOES}`;

const ERASED = 'Die Daten einer Person in diesem Engagement wurden gelöscht.';
const UNTIL_PRINT_GOES = 'Solche im Stimmabdruck eines Betrügers bleiben, bis er gelöscht wird.';

export const outcomeErases: typeof en = {
  kept: {
    asFraud: `Als Beweis für Betrug aufbewahrt. ${ERASED}`,
    withFraudster: {
      recognized: `Aufbewahrt, weil darin ein bekannter Betrüger erkannt wurde. ${ERASED}`,
      made: `Aufbewahrt, weil daraus der Stimmabdruck eines Betrügers entstand. ${ERASED}`,
      both: `Aufbewahrt, weil darin ein bekannter Betrüger erkannt wurde und daraus ein Stimmabdruck entstand. ${ERASED}`,
      unknown: `Aufbewahrt, weil darin ein bekannter Betrüger erkannt wurde oder der Stimmabdruck eines Betrügers daraus entstand. ${ERASED}`,
    },
    withFraudsterElsewhere: {
      recognized: `In Sitzung {sessions} bleiben Aufnahmen: Dort wurde ein bekannter Betrüger erkannt. ${ERASED}`,
      made: `In Sitzung {sessions} bleiben Aufnahmen: Aus ihnen entstand der Stimmabdruck eines Betrügers. ${ERASED}`,
      both: `In Sitzung {sessions} bleiben Aufnahmen: Dort wurde ein bekannter Betrüger erkannt, und aus ihnen entstand ein Stimmabdruck. ${ERASED}`,
      unknown: `In Sitzung {sessions} bleiben Aufnahmen: Dort wurde ein bekannter Betrüger erkannt, oder aus ihnen entstand ein Stimmabdruck. ${ERASED}`,
    },
    untilGenuine: `Der Ausgang Echt löscht die Aufnahmen. ${UNTIL_PRINT_GOES}`,
    untilAgain: `Echt wurde festgehalten, bevor der Betrüger gefunden wurde; deshalb wurde nichts gelöscht. War es ein Fehlalarm, halten Sie es noch einmal fest. ${UNTIL_PRINT_GOES}`,
    onHold: (count) =>
      `${many(count, '# Aufnahme bleibt', '# Aufnahmen bleiben')} wegen einer Löschsperre. Die personenbezogenen Daten der Person wurden gelöscht.`,
  },
  word: 'löschen',
  erases: { genuine: `${OF_ONE} ${STAYS_IF_GENUINE}`, otherwise: `${OF_ONE} ${STAYS_OTHERWISE}` },
  erasesMany: { genuine: `${OF_MANY} ${STAYS_IF_GENUINE}`, otherwise: `${OF_MANY} ${STAYS_OTHERWISE}` },
  looking: 'Es wird nachgesehen, was dieser Ausgang löschen würde',
  recognized: {
    inOne:
      'In diesem Engagement wurde ein bekannter Betrüger erkannt. Dieser Ausgang macht das zum Fehlalarm: Eine Datenlöschung löscht dann auch diese Aufnahmen.',
    inSeveral:
      'In diesen Engagements wurden bekannte Betrüger erkannt. Dieser Ausgang macht das zum Fehlalarm: Eine Datenlöschung löscht dann auch diese Aufnahmen.',
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
      `${fraudster} wird von ${lists} genommen und löst dort keine Alarme mehr aus. Der Stimmabdruck bleibt.`,
    removed: (fraudster) => `${fraudster} steht auf keiner Beobachtungsliste mehr.`,
  },
};
