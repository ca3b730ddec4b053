import { type ComponentType, useEffect, useState } from 'react';
import { Loading } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';

/** A page whose code comes when it is opened. */
export interface Later {
  readonly load: () => Promise<ComponentType>;
}

/**
 * React's own `lazy` keeps a failure for ever; here a page that could not be fetched is fetched again on a click, and by
 * itself when the browser is back online. Its title is known before its code.
 */
export function LaterPage({ page, title }: { page: Later; title: string }) {
  const [Loaded, setLoaded] = useState<ComponentType>();
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    let here = true;
    page.load().then(
      (loaded) => here && setLoaded(() => loaded),
      () => here && setFailed(true),
    );
    return () => {
      here = false;
    };
  }, [page, tries]);
  const again = () => {
    setFailed(false);
    setTries((before) => before + 1);
  };
  useEffect(() => {
    if (!failed) return undefined;
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  });
  if (Loaded !== undefined) return <Loaded />;
  return (
    <Page title={title}>
      {failed ? <Problem error={new PageNotFetched()} onRetry={again} /> : <Loading lines={6} />}
    </Page>
  );
}

/** The code of a page did not come: no connection, or a new release that has replaced it. */
class PageNotFetched extends Error {
  override readonly name = 'PageNotFetched';
}
