import { useMessages } from "#app/lib/i18n/messages.ts";
import { Link } from "#app/ui/link.tsx";
import { myHomesMessages } from "./messages.ts";

/** States that the homes are stored in this browser only, for visitors who are not signed in. */
export function StorageNote() {
  const t = useMessages(myHomesMessages);
  return (
    <p className="mt-10 text-sm text-muted print:hidden">
      {t.onDevice}{" "}
      <Link to="/account" className="text-link">
        {t.toAccount}
      </Link>
    </p>
  );
}

/** States that the pages of a visitor's homes need a script. */
export function NeedsScript() {
  const t = useMessages(myHomesMessages);
  return <p className="notice hidden noscript:block">{t.needsScript}</p>;
}
