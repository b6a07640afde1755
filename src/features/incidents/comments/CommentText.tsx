import { commentParts, type CommentPart } from '../../../domain/incident/mentions.ts';
import pageClasses from '../page.module.css';
import classes from './comments.module.css';

function Part({ part }: { part: CommentPart }) {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'mention':
      return <span className={pageClasses.mention}>@{part.name}</span>;
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noreferrer noopener">
          {part.href}
        </a>
      );
  }
}

/** What a comment says: mentions by name, addresses of the web as links. */
export function CommentText({ comment }: { comment: string }) {
  return (
    <p className={classes.text}>
      {commentParts(comment).map((part, at) => (
        <Part key={at} part={part} />
      ))}
    </p>
  );
}
