import { Avatar as KitAvatar } from '@mantine/core';
import classes from './Avatar.module.css';

interface AvatarProps {
  name: string;
  /** An address of this server, or the picture itself; anything else is not asked for. */
  image?: string | null | undefined;
  size?: 'sm' | 'md' | 'lg';
}

/** No picture is fetched from third parties: they would learn who looks at what, and when. */
function ownImage(image: string | null | undefined): string | null {
  if (image === null || image === undefined) return null;
  return /^(\/(?!\/)|data:image\/)/.test(image) ? image : null;
}

/** Up to two (spec 1 §9): of the first and of the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked
    .map((word = ' ') => String.fromCodePoint(word.codePointAt(0) ?? 0x20))
    .join('')
    .toUpperCase();
}

/** Who somebody is, as a picture or initials; the name is its tooltip and its words. */
export function Avatar({ name, image, size = 'sm' }: AvatarProps) {
  return (
    <KitAvatar
      unstyled
      className={`${classes.avatar} ${classes[size]}`}
      role="img"
      aria-label={name}
      title={name}
      src={ownImage(image)}
      alt=""
    >
      <span aria-hidden="true">{initialsOf(name)}</span>
    </KitAvatar>
  );
}

/** The avatar with the name beside it. */
export function PersonName({ name, image }: Pick<AvatarProps, 'name' | 'image'>) {
  return (
    <span className={classes.person}>
      <Avatar name={name} image={image} />
      <span className={classes.personName}>{name}</span>
    </span>
  );
}
