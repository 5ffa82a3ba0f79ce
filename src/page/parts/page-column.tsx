import type { ComponentChildren } from 'preact';

/** A page with a single scrolling column. */
export function PageColumn({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="page scroll" tabIndex={0} aria-label={label}>
      <div class="page-inner">{children}</div>
    </section>
  );
}

/** The name of a page, a sentence about it, and its actions. */
export function PageHeader({
  title,
  lead,
  children,
}: {
  title: ComponentChildren;
  lead?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="page-header">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p class="quiet">{lead}</p>}
      </div>
      {children !== undefined && <div class="page-actions">{children}</div>}
    </div>
  );
}
