// Deutsch: was ein anderer Ausgang löscht, wo der Rest einer gelöschten Person nur als Beweis blieb.
import type { outcomeErases as en } from '../en/outcome-erases.js';

export const outcomeErases: typeof en = {
  /** To be typed where something is lost. */
  word: 'löschen',
  erases: {
    genuine:
      'Die personenbezogenen Daten einer Person in diesem Engagement wurden gelöscht, der Rest bleibt nur als Beweis für Betrug. Mit diesem Ausgang werden die Aufnahmen und Werte dieser Person sofort gelöscht, außer Aufnahmen in gesetzlicher Aufbewahrung und solchen, in denen eine andere Person erkannt wurde. Das kann nicht rückgängig gemacht werden.',
    otherwise:
      'Die personenbezogenen Daten einer Person in diesem Engagement wurden gelöscht, der Rest bleibt nur als Beweis für Betrug. Mit diesem Ausgang werden die Aufnahmen und Werte dieser Person sofort gelöscht, außer Aufnahmen in gesetzlicher Aufbewahrung und solchen, in denen eine andere Person oder ein bekannter Betrüger erkannt wurde. Das kann nicht rückgängig gemacht werden.',
  },
  mayErase: {
    genuine:
      'Wo die personenbezogenen Daten einer Person gelöscht wurden und der Rest nur als Beweis für Betrug bleibt, werden mit diesem Ausgang die Aufnahmen und Werte dieser Person sofort gelöscht, außer Aufnahmen in gesetzlicher Aufbewahrung und solchen, in denen eine andere Person erkannt wurde. Das kann nicht rückgängig gemacht werden.',
    otherwise:
      'Wo die personenbezogenen Daten einer Person gelöscht wurden und der Rest nur als Beweis für Betrug bleibt, werden mit diesem Ausgang die Aufnahmen und Werte dieser Person sofort gelöscht, außer Aufnahmen in gesetzlicher Aufbewahrung und solchen, in denen eine andere Person oder ein bekannter Betrüger erkannt wurde. Das kann nicht rückgängig gemacht werden.',
  },
};
