import { Link } from "#app/ui/link.tsx";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";

/** The emails of the write side, by the names of its tests' snapshots. */
export const MAILS = [
  "visitor",
  "office",
  "valuation",
  "sign_in",
  "confirm",
  "confirm_known",
  "homes",
  "renewal",
] as const;

const NAMES: Record<(typeof MAILS)[number], string> = {
  visitor: "Email: thanks for an enquiry",
  office: "Email: an enquiry, for the office",
  valuation: "Email: a valuation that may be a program's",
  sign_in: "Email: link and code to sign in",
  confirm: "Email: shall we tell of homes",
  confirm_known: "Email: how often shall we tell of homes",
  homes: "Email: homes that were found",
  renewal: "Email: shall we go on telling of homes",
};

/** Links to each email in both languages, each shown as a document of its own, as in a mail program. */
export function MailSamples() {
  return (
    <SampleGroup name="Mails">
      {MAILS.map((mail) => (
        <Sample key={mail} name={NAMES[mail]}>
          {["en", "es"].map((language) => (
            <Link
              key={language}
              to={`/catalogue/mails/${mail}.${language}`}
              reloadDocument
              className="text-link"
            >
              {language === "en" ? "English" : "Spanish"}
            </Link>
          ))}
        </Sample>
      ))}
    </SampleGroup>
  );
}
