import { initials } from "./initials.ts";

interface AvatarProps {
  name: string;
  src?: string | undefined;
}

/** A person's picture, or their initials if there is none. Decorative: the text beside it names the person. */
export function Avatar({ name, src }: AvatarProps) {
  return src === undefined ? (
    <span aria-hidden="true" className="avatar">
      {initials(name)}
    </span>
  ) : (
    <img src={src} alt="" width={32} height={32} className="avatar" />
  );
}
