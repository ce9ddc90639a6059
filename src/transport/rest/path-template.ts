// Reads the path templates of google.api.http: literal segments (which may contain a colon, as in
// `watchlist:check-consistency`), variables `{a.b}`, and a literal verb behind a variable, `{a.b}:validate`.
// Templates are ours and read at start-up, so a form that is not supported is refused loudly.

type TemplateSegment =
  | { kind: 'literal'; text: string }
  /** `verb` includes its colon; empty for a plain variable. */
  | { kind: 'variable'; fieldPath: readonly string[]; verb: string };

export interface PathTemplate {
  text: string;
  segments: readonly TemplateSegment[];
}

const variablePattern = /^\{([A-Za-z_][A-Za-z0-9_.]*)(?:=\*)?\}(:[A-Za-z0-9_-]+)?$/;
const literalPattern = /^[A-Za-z0-9._~:-]+$/;

export function parsePathTemplate(text: string): PathTemplate {
  if (!text.startsWith('/')) throw new Error(`path template ${text} does not start with a slash`);
  const segments = text
    .slice(1)
    .split('/')
    .map((segment): TemplateSegment => {
      const variable = variablePattern.exec(segment);
      if (variable)
        return { kind: 'variable', fieldPath: (variable[1] as string).split('.'), verb: variable[2] ?? '' };
      if (literalPattern.test(segment)) return { kind: 'literal', text: segment };
      throw new Error(`path template ${text}: segment "${segment}" is not supported`);
    });
  return { text, segments };
}

/** The template as OpenAPI writes it: the same, without the pattern part of a variable. */
export function templateForOpenApi(template: PathTemplate): string {
  const parts = template.segments.map((segment) =>
    segment.kind === 'literal' ? segment.text : `{${segment.fieldPath.join('.')}}${segment.verb}`,
  );
  return `/${parts.join('/')}`;
}
