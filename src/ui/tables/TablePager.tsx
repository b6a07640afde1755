import { usePagination } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { IconButton } from '../actions/Button.tsx';
import classes from './DataTable.module.css';
import { messages } from './messages.ts';
import { SelectField } from '../fields/SelectField.tsx';
import { PAGE_SIZES, type TableState } from './table-state.ts';

interface TablePagerProps {
  total: number;
  state: TableState;
  onState: (state: TableState) => void;
  /** The most that a page can hold. */
  mostPerPage?: number;
}

/** Which page of a table is shown; nothing where all of it is. */
export function TablePager({ total, state, onState, mostPerPage = Infinity }: TablePagerProps) {
  const { pageIndex, pageSize } = state;
  const [smallest] = PAGE_SIZES;
  const last = Math.max(0, Math.ceil(total / pageSize) - 1);
  const pages = usePagination({
    total: last + 1,
    page: pageIndex + 1,
    onChange: (page) => onState({ ...state, pageIndex: page - 1 }),
  });
  if (total <= Math.min(smallest, pageSize) && pageIndex === 0) return null;
  const from = Math.min(pageIndex * pageSize + 1, total);
  const to = Math.min((pageIndex + 1) * pageSize, total);
  const offered = PAGE_SIZES.filter((size) => size <= mostPerPage);
  const sizes = offered.some((size) => size === pageSize) ? offered : [...offered, pageSize];
  return (
    <div className={classes.pager}>
      <SelectField
        label={messages.rowsPerPage}
        value={String(pageSize)}
        options={sizes.map((size) => ({ value: String(size), label: String(size) }))}
        onChange={(size) => onState({ ...state, pageIndex: 0, pageSize: Number(size) })}
      />
      <span role="status" className={classes.range}>
        {messages.page(from, to, total)}
      </span>
      <IconButton label={messages.previousPage} disabled={pageIndex === 0} onClick={pages.previous}>
        <IconChevronLeft size={18} />
      </IconButton>
      <IconButton label={messages.nextPage} disabled={pageIndex >= last} onClick={pages.next}>
        <IconChevronRight size={18} />
      </IconButton>
    </div>
  );
}
