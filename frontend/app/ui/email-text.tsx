/** An email address that may wrap only after its at sign. */
export function EmailText({ address }: { address: string }) {
  const [localPart = "", domain = ""] = address.split("@");
  return (
    <>
      {localPart}@<wbr />
      {domain}
    </>
  );
}
