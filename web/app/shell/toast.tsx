import { Alert, type AlertColor, Snackbar } from '@mui/material';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

interface Toast {
  readonly text: ReactNode;
  readonly severity: AlertColor;
}

type Show = (text: ReactNode, severity?: AlertColor) => void;

const Context = createContext<Show>(() => undefined);

export function useToast(): Show {
  return useContext(Context);
}

/** News that need no answer, such as the new end of a wake that changed nothing. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>();
  const [open, setOpen] = useState(false);
  const show = useCallback<Show>((text, severity = 'success') => {
    setToast({ text, severity });
    setOpen(true);
  }, []);
  const close = (_: unknown, reason?: string) => reason !== 'clickaway' && setOpen(false);
  return (
    <Context value={show}>
      {children}
      <Snackbar
        open={open}
        autoHideDuration={8000}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
      >
        <Alert severity={toast?.severity ?? 'info'} variant="filled" onClose={() => setOpen(false)} data-testid="toast">
          {toast?.text}
        </Alert>
      </Snackbar>
    </Context>
  );
}
