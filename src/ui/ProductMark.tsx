/** The product's mark: a cleat with a line made fast. */
export function ProductMark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flex: 'none' }}>
      <rect width="32" height="32" rx="7" fill="#14506a" />
      <path
        d="M5.5 11.2c5.6 1.9 15.4 1.9 21 0M5.5 20.8c5.6-1.9 15.4-1.9 21 0"
        fill="none"
        stroke="#fff"
        strokeWidth="3.1"
        strokeLinecap="round"
      />
      <path d="M12.4 12.4v7.2M19.6 12.4v7.2" stroke="#8fd6ec" strokeWidth="3.1" strokeLinecap="round" />
    </svg>
  );
}
