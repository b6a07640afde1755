import classes from './Field.module.css';

/** Lets one of Mantine's inputs look as the product's fields do: label above, hint and error below. */
export function fieldLook(isWrong: boolean, { isLabelHidden = false, isLong = false } = {}) {
  return {
    unstyled: true,
    inputWrapperOrder: ['label' as const, 'input' as const, 'description' as const, 'error' as const],
    errorProps: { role: 'alert' },
    classNames: {
      root: `${classes.stacked}`,
      label: isLabelHidden ? 'visually-hidden' : `${classes.caption}`,
      input: `${isLong ? classes.area : classes.input} ${isWrong ? classes.invalid : ''}`,
      description: `${classes.hintText}`,
      error: `${classes.error}`,
    },
  };
}
