# folders in folders, some without rights
import os
for i in range(120):
    os.mkdir('d' * 60)
    if i % 20 == 10:
        open('f', 'w').close()
        try:
            os.chmod('f', 0)
        except OSError:
            pass
    os.chdir('d' * 60)
print(2 * int(input()))
