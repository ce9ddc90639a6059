// Help inside the console: the guides and the reference of this version, for installations without Internet
// access.
import { useEffect, type ReactNode } from 'react';
import { Card, PageHead } from '../../kit/layout.js';
import { EmptyState } from '../../kit/notice.js';
import { Link, useLocation } from '../../router.js';
import { helpAddress, linkTarget, titleOf } from '../../help/entries.js';
import { plainOf, readMarkdown, type Block } from '../../help/markdown.js';
import { guideOf, guideTitles } from '../../help/texts.js';
import { t } from '../../text/help.js';
import type { PageProps } from '../page.js';
import './help.css';

export function HelpPage(): ReactNode {
  const titles = guideTitles();
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      <div className="stack">
        {(['guides', 'reference'] as const).map((folder) => (
          <Card key={folder} title={t.folders[folder]}>
            <ul className="guides" lang="en">
              {titles
                .filter(({ page }) => page.startsWith(`${folder}/`))
                .map(({ page, title }) => (
                  <li key={page}>
                    <Link to={helpAddress(page)}>{title}</Link>
                  </li>
                ))}
            </ul>
          </Card>
        ))}
        <p>
          <a href="/docs">{t.api}</a>
        </p>
      </div>
    </>
  );
}

export function GuidePage({ params }: PageProps): ReactNode {
  const page = `${params['folder'] ?? ''}/${params['page'] ?? ''}`;
  const source = guideOf(page);
  const at = useLocation().query.get('at') ?? '';
  useEffect(() => {
    if (at === '') return;
    const place = document.getElementById(`help-${at}`);
    place?.scrollIntoView({ block: 'center' });
    place?.focus({ preventScroll: true });
  }, [at, page]);
  const crumbs = [{ label: t.title, to: '/help' }];
  if (source === undefined)
    return (
      <>
        <PageHead title={t.title} crumbs={crumbs} />
        <EmptyState icon="search" title={t.missing} />
      </>
    );
  const blocks = readMarkdown(source);
  return (
    <>
      <PageHead title={titleOf(blocks, page)} lang="en" crumbs={crumbs}>
        {t.language}
      </PageHead>
      <article className="guide" lang="en">
        {blocks.map((block, index) => (
          <Shown key={index} block={block} page={page} at={at} />
        ))}
      </article>
    </>
  );
}

function Shown({ block, page, at }: { block: Block; page: string; at: string }): ReactNode {
  const line = (text: string): ReactNode => <Line text={text} page={page} />;
  switch (block.kind) {
    case 'heading': {
      // The page itself has the first heading as its title.
      if (block.level === 1) return null;
      const Level = block.level === 2 ? 'h2' : 'h3';
      return (
        <Level id={`help-${block.id}`} tabIndex={-1} data-sought={block.id === at || undefined}>
          {block.text}
        </Level>
      );
    }
    case 'paragraph':
      return <p>{line(block.text)}</p>;
    case 'code':
      return <pre tabIndex={0}>{block.text}</pre>;
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{line(item)}</li>);
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div
          className="guide-table"
          tabIndex={0}
          role="group"
          aria-label={block.head.map(plainOf).join(', ')}
        >
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    {line(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map(({ cells, id }, index) => (
                <tr
                  key={index}
                  {...(id === '' ? {} : { id: `help-${id}`, tabIndex: -1 })}
                  data-sought={(id !== '' && id === at) || undefined}
                >
                  {cells.map((cell, place) => (
                    <td key={place}>{line(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

const marks = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]*\]\([^)]*\)|<br>)/;

/** Code, emphasis, links and line breaks inside a text. */
function Line({ text, page }: { text: string; page: string }): ReactNode {
  return text.split(marks).map((part, index) => {
    if (part === '<br>') return <br key={index} />;
    if (part.startsWith('`') && part.length > 1) return <code key={index}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <strong key={index}>{part.slice(2, -2)}</strong>;
    const [, label, link] = /^\[([^\]]*)\]\(([^)]*)\)$/.exec(part) ?? [];
    if (label === undefined || link === undefined) return part;
    const target = linkTarget(page, link);
    if (!target) return plainOf(label);
    return 'to' in target ? (
      <Link key={index} to={target.to}>
        {plainOf(label)}
      </Link>
    ) : (
      <a key={index} href={target.href}>
        {plainOf(label)}
      </a>
    );
  });
}
