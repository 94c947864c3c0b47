@echo off
rem Starts Gatebench: from a build of the sources, or from an unpacked release. SPDX-License-Identifier: Apache-2.0
setlocal
set "JAR=%~dp0orchestrator\target\orchestrator.jar"
if not exist "%JAR%" set "JAR=%~dp0orchestrator.jar"
if not exist "%JAR%" (
  echo gatebench: orchestrator.jar is not there; build it: mvn -q package -DskipTests 1>&2
  exit /b 2
)
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
set "VERSION="
for /f "tokens=3" %%v in ('""%JAVA%" -version 2^>^&1" ^| findstr /r /c:"version"') do if not defined VERSION set "VERSION=%%~v"
if not defined VERSION (
  echo gatebench: no java; Java 17 or later is needed: install it, or set JAVA_HOME 1>&2
  exit /b 2
)
set "MAJOR=%VERSION%"
if "%MAJOR:~0,2%"=="1." set "MAJOR=%MAJOR:~2%"
for /f "tokens=1 delims=.-+_" %%m in ("%MAJOR%") do set "MAJOR=%%m"
if %MAJOR% LSS 17 (
  echo gatebench: %JAVA% is Java %VERSION%; Java 17 or later is needed: install it, or set JAVA_HOME 1>&2
  exit /b 2
)
set "QUICK="
for %%c in (gc summarize report version products completion --help) do if "%~1"=="%%c" set "QUICK=-XX:+IgnoreUnrecognizedVMOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
if "%~1"=="report" set "QUICK=%QUICK% -Xms64m -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20"
if defined JAVA_TOOL_OPTIONS set "QUICK="
if defined JDK_JAVA_OPTIONS set "QUICK="
"%JAVA%" %QUICK% -Dgatebench.launcher=gatebench -jar "%JAR%" %*
exit /b %ERRORLEVEL%
