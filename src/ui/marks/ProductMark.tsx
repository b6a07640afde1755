/** The product's mark, as in public/icon.svg. */
export function ProductMark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 512 512" aria-hidden="true" style={{ flex: 'none' }}>
      <rect width="512" height="512" rx="112" fill="#0f2a33" />
      <path
        d="M256 92 392 140v116c0 82-56 140-136 168-80-28-136-86-136-168V140z"
        fill="none"
        stroke="#5cc8d7"
        strokeWidth="32"
        strokeLinejoin="round"
      />
      <path
        d="M148 268h58l28-64 44 120 30-56h56"
        fill="none"
        stroke="#f2fbfc"
        strokeWidth="32"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
