import { useState } from "react";
import { useLocation } from "react-router";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";
import { ErrorCard } from "./error-page.tsx";
import { errorMessages } from "./messages.ts";

/** The error page's states for the catalogue, and a button that throws, to see it replace a page. */
export function ErrorSamples() {
  const t = useMessages(errorMessages);
  const { pathname } = useLocation();
  const [broken, setBroken] = useState(false);
  if (broken) throw new Error("a fault of the catalogue's own");
  return (
    <SampleGroup name="Errors">
      <Sample name="No such page">
        <ErrorCard status={404} title={t.title} message={t.notFound(pathname)} />
      </Sample>
      <Sample name="Our fault">
        <ErrorCard status={500} title={t.title} message={t.message} />
      </Sample>
      <Sample name="Out of reach for a moment">
        <ErrorCard status={503} title={t.title} message={t.away} />
      </Sample>
      <Sample name="A fault while rendering">
        <Button look="outline" onClick={() => setBroken(true)}>
          Break this page
        </Button>
      </Sample>
    </SampleGroup>
  );
}
