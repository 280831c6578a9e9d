/** An e-mail address that breaks, where it must, after its at sign. */
export function EmailText({ address }: { address: string }) {
  const [who = "", where = ""] = address.split("@");
  return (
    <>
      {who}@<wbr />
      {where}
    </>
  );
}
