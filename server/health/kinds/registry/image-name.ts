/** Names of images, as docker reads them. */
import { AppError } from '../../../../src/contract/errors.ts';

export interface ImageName {
  registry: string;
  repository: string;
  /** A tag or a digest. */
  reference: string;
}

const HUB = 'registry-1.docker.io';
const PARTS = /^([^@\s]+?)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;
const PATH = /^[a-z0-9]+(?:[._/-]+[a-z0-9]+)*$/;

/** What has a dot or a colon before the first slash is a registry, else it is Docker Hub. Throws `invalid`. */
export function imageName(image: string): ImageName {
  const [, name = '', tag = 'latest', digest = tag] = PARTS.exec(image.trim()) ?? [];
  const [first = '', ...rest] = name.split('/');
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const path = hasRegistry ? rest.join('/') : name;
  if (!PATH.test(path)) throw new AppError('invalid', `image: "${image}" is not the name of an image`);
  const isHub = !hasRegistry || first === 'docker.io';
  return {
    registry: isHub ? HUB : first,
    repository: isHub && !path.includes('/') ? `library/${path}` : path,
    reference: digest,
  };
}
