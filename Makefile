# The few things that are done by hand; each is one Maven or Java command.

.PHONY: help build test perf format run clean

help:
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

build: ## the program, orchestrator/target/orchestrator.jar, without tests
	mvn -q -Dquick -DskipTests package

test: ## everything that must hold
	mvn verify

perf: ## our own performance gate against the commit BEFORE; needs the machine to itself
	bench/ab/jars "$(BEFORE)" target/before
	mvn -T1 -Dquick verify -Pperf -Dgatebench.previous=$(CURDIR)/target/before

format: ## the sources as the build wants them
	mvn -q spotless:apply

run: build ## the built-in gateway with the scenarios of API Manager, about three minutes
	java -jar orchestrator/target/orchestrator.jar --product apim

clean: ## what was built, never results
	mvn -q clean
