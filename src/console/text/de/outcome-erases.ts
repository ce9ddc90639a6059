// Deutsch: was ein anderer Ausgang löscht, wo der Rest einer gelöschten Person nur als Beweis blieb; und was er stehen lässt.
import type { outcomeErases as en } from '../en/outcome-erases.js';

const GOES =
  'die Aufnahmen und Werte dieser Person sofort gelöscht, und mit ihnen Rufnummer, Fallnummer, Notiz und Referenzen';
const STAYS_IF_GENUINE =
  'Aufnahmen in gesetzlicher Aufbewahrung und solche, in denen eine andere Person erkannt wurde, bleiben; Aufnahmen, aus denen der Stimmabdruck eines Betrügers entstand, bleiben, bis dieser Stimmabdruck gelöscht wird. Das kann nicht rückgängig gemacht werden.';
const STAYS_OTHERWISE =
  'Aufnahmen in gesetzlicher Aufbewahrung bleiben, ebenso alles zu einem Anruf, in dem eine andere Person oder ein bekannter Betrüger erkannt wurde oder aus dem der Stimmabdruck eines Betrügers entstand. Das kann nicht rückgängig gemacht werden.';
const OF_ONE = `Die personenbezogenen Daten einer Person in diesem Engagement wurden gelöscht, der Rest bleibt nur als Beweis für Betrug. Mit diesem Ausgang werden ${GOES}.`;
const OF_MANY = `Wo die personenbezogenen Daten einer Person gelöscht wurden und der Rest nur als Beweis für Betrug bleibt, werden mit diesem Ausgang ${GOES}.`;

export const outcomeErases: typeof en = {
  word: 'löschen',
  erases: { genuine: `${OF_ONE} ${STAYS_IF_GENUINE}`, otherwise: `${OF_ONE} ${STAYS_OTHERWISE}` },
  mayErase: { genuine: `${OF_MANY} ${STAYS_IF_GENUINE}`, otherwise: `${OF_MANY} ${STAYS_OTHERWISE}` },
  staysListed:
    'Aus diesem Anruf entstand der Stimmabdruck eines Betrügers: {fraudsters}. Mit diesem Ausgang bleibt die Stimme auf der Beobachtungsliste und löst Alarme aus, bis dieser Betrüger oder der Stimmabdruck gelöscht wird.',
  staysListedMany:
    'Aus diesen Anrufen entstanden Stimmabdrücke von Betrügern: {fraudsters}. Mit diesem Ausgang bleiben die Stimmen auf der Beobachtungsliste und lösen Alarme aus, bis diese Betrüger oder die Stimmabdrücke gelöscht werden.',
  isListed:
    'Als echt beurteilt, aber aus diesem Anruf entstand der Stimmabdruck eines Betrügers: {fraudsters}. Die Stimme bleibt auf der Beobachtungsliste und löst Alarme aus, und die Aufnahme bleibt dafür erhalten, bis dieser Betrüger oder der Stimmabdruck gelöscht wird.',
};
