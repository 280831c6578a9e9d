import type { EnquiryAnswer } from "#app/lib/enquiry/enquiry.ts";
import { homeMessages } from "#app/lib/enquiry/messages.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { EnquiryForm } from "./enquiry-form.tsx";

interface HomeEnquiryProps {
  property: { ref: string; title: string };
  answer?: EnquiryAnswer | undefined;
  /** Whether another action beside the form is the primary one. */
  second?: boolean | undefined;
}

/** The enquiry form about a home; its message starts with the home's reference and title. */
export function HomeEnquiry({ property, answer, second }: HomeEnquiryProps) {
  const t = useMessages(homeMessages);
  const { ref, title } = property;
  return (
    <EnquiryForm
      kind="property"
      reference={ref}
      message={t.line(ref, title)}
      answer={answer}
      second={second}
    />
  );
}
