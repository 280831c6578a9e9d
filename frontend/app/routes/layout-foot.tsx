import { Background } from "#app/features/shell/background.tsx";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { lazy } from "#app/lib/release/lazy.ts";
import { useAnalytics } from "#app/lib/site/analytics.ts";
import { ToastArea } from "#app/ui/toast-area.tsx";

const Consent = lazy(() => import("#app/features/consent/consent.tsx"));

/** The end of every layout: the toasts and consent bar at the window's bottom edge, and background work. */
export function LayoutFoot() {
  const analytics = useAnalytics();
  return (
    <>
      {/* Stacked, so that neither covers the other. */}
      <div className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col print:hidden">
        <ToastArea />
        {analytics ? (
          <Boundary>
            <Consent analytics={analytics} />
          </Boundary>
        ) : null}
      </div>
      <Background />
    </>
  );
}
