# finds variables that it was not given
import os
extra = set(os.environ) - {'PATH', 'HOME', 'TMPDIR', 'JURY_RUN_MARK', 'LC_CTYPE'}
if extra:
    print('ESCAPED', extra)
print(2 * int(input()))
