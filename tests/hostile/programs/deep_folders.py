# folders in folders, some without rights
import os
for i in range(2000):
    os.mkdir('d')
    if i % 100 == 50:
        open('f', 'w').close()
        try:
            os.chmod('f', 0)
        except OSError:
            pass
    os.chdir('d')
print(2 * int(input()))
