import type { LoaderFunctionArgs } from "react-router";

const MAILS = import.meta.glob<string>("../../../services/command/tests/mails/*.html", {
  query: "?raw",
  import: "default",
});

/** Serves an email from the snapshots of the write side's tests. */
export async function loader({ params }: LoaderFunctionArgs): Promise<Response> {
  const mail = MAILS[`../../../services/command/tests/mails/${params.mail}.html`];
  if (!mail) return new Response("There is no such mail", { status: 404 });
  return new Response(await mail(), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}
