import { describe, expect, it } from 'vitest';
import { detectLanguage, questionLanguage } from '../../src/text/detect-language.ts';

const PROSE = {
  da: 'Vi skal have en plan for, hvordan kunderne bliver flyttet til den nye platform. Det er ikke nok at sende en mail, og der skal være nogen, som de kan ringe til.',
  de: 'Die Freigabe erfolgt durch die Fachabteilung, bevor die Bestellung an den Lieferanten geht. Wenn der Betrag über der Grenze liegt, muss auch die Geschäftsleitung zustimmen.',
  es: 'La aprobación de los gastos corresponde al responsable del equipo, que debe revisar las facturas antes de que se paguen. No se aceptan justificantes sin fecha.',
  fi: 'Projekti on myöhässä, koska toimittaja ei ole vielä vastannut kyselyyn, ja se on myös kalliimpi kuin arvioitiin. Tämä ei ole kuitenkaan syy luopua siitä.',
  fr: "La validation des dépenses revient au responsable de l'équipe, qui doit vérifier les factures avant le paiement. Les justificatifs sans date ne sont pas acceptés.",
  it: 'La richiesta deve essere approvata dal responsabile prima che la fattura sia pagata. Non sono ammesse spese senza ricevuta, e il rimborso è fatto alla fine del mese.',
  nl: 'De aanvraag wordt door de leidinggevende beoordeeld voordat de bestelling wordt geplaatst. Het is niet mogelijk om zonder bon een vergoeding te krijgen.',
  no: 'Vi må ha en plan for hvordan kundene skal flyttes til den nye løsningen. Det er ikke nok å sende en e-post, og det må være noen de kan ringe til.',
  pt: 'A aprovação das despesas cabe ao responsável da equipa, que deve verificar as faturas antes do pagamento. Não são aceites recibos sem data.',
  ru: 'Расходы утверждает руководитель отдела, который должен проверить счета до оплаты. Без даты документы не принимаются, и это правило действует для всех.',
  sv: 'Vi måste ha en plan för hur kunderna ska flyttas till den nya plattformen. Det är inte nog att skicka ett mejl, och det ska finnas någon som de kan ringa till.',
};

describe('detectLanguage', () => {
  it.each(Object.entries(PROSE))('knows %s by a few sentences', (language, text) => {
    expect(detectLanguage([text])).toBe(language);
  });

  it.each([
    'The approval of expenses is with the lead of the team, who has to check the invoices before they are paid.',
    'npm install --save-dev typescript && npx tsc --init',
    'const x = await fetch(url); if (!x.ok) throw new Error("die", { cause: x });',
    '| de | la | el |\n|---|---|---|\n| 1 | 2 | 3 |',
    'SKU-1187, SKU-1188, SKU-1189',
    'error: die der das den',
    'Reisekosten',
    '',
    '東京都庁の予算について',
  ])('takes no language for granted: %s', (text) => {
    expect(detectLanguage([text])).toBeNull();
  });

  it('looks at the prose, and not at the code', () => {
    const code =
      '```js\nif (this.is.not.the) { return for of in while do }\n// this is what it was and is to be\n```\n';
    expect(detectLanguage([`${code}${PROSE.de}\n${code}`])).toBe('de');
  });

  it('goes by what most of a text is in', () => {
    expect(detectLanguage([PROSE.fr, PROSE.fr, PROSE.de])).toBe('fr');
    const english = 'This is what the team has to do before the end of the year, and it is not up to us.';
    expect(detectLanguage([english, english, english, PROSE.de])).toBeNull();
  });
});

describe('questionLanguage', () => {
  it.each([
    ['wie hoch ist das budget', 'de'],
    ['what is the rollout plan', null],
    ['quels sont les risques', 'fr'],
    ['quien aprueba las facturas de los viajes', 'es'],
    ['die casting', undefined],
    ['budget 2025', undefined],
  ])('%s: %s', (question, language) => {
    expect(questionLanguage(question.split(' '))).toBe(language);
  });
});
