@echo off
rem Makes Windows offer Tabulae for game records (.tab files), for this user only.
rem Run it again after you move the folder. "open-records.cmd /remove" undoes it.
set classes=HKCU\Software\Classes
if /i "%~1"=="/remove" (
    reg delete %classes%\Tabulae.Record /f
    reg delete %classes%\.tab\OpenWithProgids /v Tabulae.Record /f
    exit /b
)
reg add %classes%\Tabulae.Record /ve /d "Game record" /f
reg add %classes%\Tabulae.Record\DefaultIcon /ve /d "\"%~dp0bin\tabulae.exe\",0" /f
reg add %classes%\Tabulae.Record\shell\open\command /ve /d "\"%~dp0play-tabulae.exe\" \"%%1\"" /f
reg add %classes%\.tab\OpenWithProgids /v Tabulae.Record /d "" /f
